import { text as readText } from 'node:stream/consumers';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { findResponse, readEvents } from './events.ts';
import { McpFailure } from './mcp-client.ts';

export type Exchange = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** It doesn't matter whether the server learns that its session has ended. */
const FAREWELL_MS = 2_000;

/**
 * The fetch for the protocol's library: one request, one response. It reads a stream until the response is
 * there and drops everything else. Each request from the server would make us call it again, and one
 * response could contain thousands of them.
 */
export function createExchange(safeFetch: SafeFetch): Exchange {
  return async (input, init = {}) => {
    if (init.method === 'DELETE') return safeFetch.fetch(input, init, { totalMs: FAREWELL_MS });
    // The server's own stream is not opened.
    if (init.method !== 'POST') return new Response(null, { status: 405 });
    const { body } = init;
    const { id, method }: Question = typeof body === 'string' ? JSON.parse(body) : {};
    if (method === undefined) return new Response(null, { status: 202 });
    const response = await safeFetch.fetch(input, init);
    if (!response.ok) return readRefusal(response);
    if (id === undefined) {
      await response.body?.cancel();
      return new Response(null, { status: 202 });
    }
    const message = await readResponse(response, id);
    const session = response.headers.get('mcp-session-id');
    return Response.json(message, {
      headers: session === null ? {} : { 'mcp-session-id': session },
    });
  };
}

interface Question {
  /** Undefined for a notification. */
  id?: string | number;
  /** Undefined for a response from us. */
  method?: string;
}

/** With its body, in which a server of the newer protocol lists the versions it supports. */
async function readRefusal(response: Response): Promise<Response> {
  const { status } = response;
  if (status >= 400 && status < 500 && ![401, 403, 429].includes(status)) {
    return new Response(await response.text(), { status });
  }
  // These statuses say nothing about the protocol.
  await response.body?.cancel();
  if (status === 401 || status === 403) {
    throw new McpFailure('unauthorized', `the server denied access (HTTP ${status})`);
  }
  throw new McpFailure('server_error', `the server failed (HTTP ${status})`);
}

async function readResponse({ headers, body }: Response, id: string | number): Promise<object> {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const stream = body as WebStream<Uint8Array> | null;
  if (stream && type === 'text/event-stream') {
    for await (const data of readEvents(stream)) {
      const response = findResponse(data, id);
      if (response) return response;
    }
    throw new McpFailure('network', 'the server closed the connection before it responded');
  }
  if (stream && type === 'application/json') {
    const response = findResponse(await readText(stream), id);
    if (response) return response;
    throw new McpFailure('not_mcp', 'the response is not a valid MCP message');
  }
  await stream?.cancel();
  throw new McpFailure('not_mcp', 'this is not an MCP server: the response is not JSON');
}
