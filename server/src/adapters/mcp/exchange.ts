import { text as readText } from 'node:stream/consumers';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { findAnswer, readEvents } from './events.ts';
import { McpFailure } from './mcp-client.ts';

export type Exchange = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Whether the server hears that its session is over is its own affair. */
const FAREWELL_MS = 2_000;

/**
 * The fetch that the protocol's library calls with: one question, one answer. Of a stream it reads until
 * the answer is there. What a server asks or says besides is dropped: each of its questions would be
 * another call of ours, and there is room for thousands of them in one answer.
 */
export function createExchange(safeFetch: SafeFetch): Exchange {
  return async (input, init = {}) => {
    if (init.method === 'DELETE') return safeFetch.fetch(input, init, { totalMs: FAREWELL_MS });
    // The server's own stream to us is not opened.
    if (init.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = readQuestion(init.body);
    if (method === undefined) return new Response(null, { status: 202 });
    const answer = await safeFetch.fetch(input, init);
    if (!answer.ok) return readRefusal(answer);
    if (id === undefined) {
      await answer.body?.cancel();
      return new Response(null, { status: 202 });
    }
    const message = await readAnswer(answer, id);
    const session = answer.headers.get('mcp-session-id');
    return Response.json(message, {
      headers: session === null ? {} : { 'mcp-session-id': session },
    });
  };
}

interface Question {
  /** Undefined for a notification. */
  id?: string | number;
  /** Undefined for an answer of ours. */
  method?: string;
}

function readQuestion(body: RequestInit['body']): Question {
  return typeof body === 'string' ? (JSON.parse(body) as Question) : {};
}

/** With its body, in which a server of the newer protocol names the versions it knows. */
async function readRefusal(answer: Response): Promise<Response> {
  const { status } = answer;
  if (status >= 400 && status < 500 && ![401, 403, 429].includes(status)) {
    return new Response(await answer.text(), { status });
  }
  // These say nothing about the protocol that is spoken there.
  await answer.body?.cancel();
  if (status === 401 || status === 403) {
    throw new McpFailure('unauthorized', `the server does not let us in (HTTP ${status})`);
  }
  throw new McpFailure('server_error', `the server cannot answer now (HTTP ${status})`);
}

async function readAnswer({ headers, body }: Response, id: string | number): Promise<object> {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const stream = body as WebStream<Uint8Array> | null;
  if (stream && type === 'text/event-stream') {
    for await (const data of readEvents(stream)) {
      const answer = findAnswer(data, id);
      if (answer) return answer;
    }
    throw new McpFailure('network', 'the server closed the connection before it had answered');
  }
  if (stream && type === 'application/json') {
    const answer = findAnswer(await readText(stream), id);
    if (answer) return answer;
    throw new McpFailure('not_mcp', 'what answers there is not what an MCP server says');
  }
  await stream?.cancel();
  throw new McpFailure('not_mcp', 'what answers there is no MCP server: it does not speak JSON');
}
