import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Responds to the n-th request, counted from 1. */
export type Answerer = (response: ServerResponse, seen: Seen, n: number) => void | Promise<void>;

/** A local server that responds with `answer` and records every request. */
export async function startFake(answer: Answerer): Promise<{ baseURL: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    await answer(response, one, seen.length);
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, seen };
}

/** Sends a request on to the real server. */
export function passOn(origin: string, { method, url, body, headers }: Seen): Promise<Response> {
  const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
  return fetch(origin + url, {
    method,
    headers: kept as Record<string, string>,
    ...(body !== '' && { body }),
  });
}

/** Sends a request on to the real server, and its response back. */
export async function forward(origin: string, response: ServerResponse, seen: Seen): Promise<void> {
  const answer = await passOn(origin, seen);
  const text = await answer.text();
  const {
    'content-length': _,
    'transfer-encoding': __,
    connection: ___,
    ...kept
  } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, kept).end(text);
}

export function succeed(
  response: ServerResponse,
  data: unknown,
  headers: Record<string, string> = {},
): void {
  const metadata = { timestamp: '2026-11-15T09:30:00.000Z', requestId: 'fake' };
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'X-Request-Id': 'fake',
    ...headers,
  });
  response.end(JSON.stringify({ success: true, data, metadata }));
}

export function fail(
  response: ServerResponse,
  status: number,
  error: { code: string; message?: string; details?: object },
  headers: Record<string, string> = {},
): void {
  const metadata = { timestamp: '2026-11-15T09:30:00.000Z', requestId: 'fake' };
  const said = { message: 'It failed.', details: {}, ...error };
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'X-Request-Id': 'fake',
    ...headers,
  });
  response.end(JSON.stringify({ success: false, error: said, metadata }));
}
