import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../context.ts';
import { AppError, invalid } from '../errors.ts';
import { errorAnswer, type Answer } from './envelope.ts';

export interface SlowSenderLimits {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

/** Ends a request whose sender is too slow; others are served as before. */
export const SLOW_SENDER_LIMITS: SlowSenderLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};

/** How long a refused sender may take to read its answer and hang up. */
const LINGER_MS = 1_000;

const MESSAGES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
  HPE_HEADER_OVERFLOW: 'the headers are too large',
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const requestIds = new WeakMap<IncomingMessage, string>();

/** The id in this request's answer and log lines, the same whoever asks: its own if that is valid. */
export function requestIdOf(request: IncomingMessage): string {
  const known = requestIds.get(request);
  if (known !== undefined) return known;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
  requestIds.set(request, id);
  return id;
}

const refused = new WeakSet<Duplex>();

/** Nothing that comes on this connection from now on is acted upon, though Node may have read it already. */
export function refuseFurtherRequests(socket: Duplex): void {
  refused.add(socket);
}

export function isRefused(socket: Duplex): boolean {
  return refused.has(socket);
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * What Node's HTTP parser refuses never becomes a request, so Fastify cannot answer it. These
 * answers are written by hand, in the same envelope, and the connection is closed.
 */
export function answerProtocolErrors(
  server: Server,
  clock: Clock,
  headers: Record<string, string>,
): void {
  const latest = new WeakMap<Duplex, Exchange>();

  function refuse(socket: Duplex, error: AppError, requestId?: string): void {
    if (isRefused(socket)) return; // What a refused sender goes on sending is thrown away.
    refuseFurtherRequests(socket);
    // A sender may reset the connection at any time; with nobody listening, that would end the process.
    socket.on('error', () => socket.destroy());
    const last = latest.get(socket);
    const say = (id = requestId ?? randomUUID()) => {
      if (!socket.writable) return;
      const answer = errorAnswer(error, id, clock.now());
      writeAndClose(socket, answer, { ...headers, ...answerHeaders(answer.body, id) });
    };
    if (!last || (last.request.complete && last.response.writableFinished)) {
      say();
    } else if (last.request.complete) {
      // The trouble is behind a good request, whose answer is still on its way and goes first.
      last.response.once('close', () => say());
    } else if (last.response.headersSent) {
      destroySoon(socket); // Answered before its body was read: a second answer would confuse.
    } else {
      socket.pause(); // The rest of the body must not come after all, and be acted upon.
      say(requestIdOf(last.request));
    }
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable && !isRefused(socket)) socket.destroy();
    else refuse(socket, requestError(MESSAGES[error.code ?? ''] ?? 'this is not valid HTTP'));
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const nothing = new AppError('NOT_FOUND', 'There is nothing at this path.');
    refuse(socket, nothing, requestIdOf(request));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (isRefused(request.socket)) return;
    refuseFurtherRequests(request.socket);
    const requestId = requestIdOf(request);
    const error = requestError('the Expect header is not supported');
    const { status, body } = errorAnswer(error, requestId, clock.now());
    response.writeHead(status, { ...headers, ...answerHeaders(body, requestId) }).end(body);
  });
}

function requestError(message: string): AppError {
  return invalid([{ location: 'request', code: 'malformed', message }]);
}

function answerHeaders(body: string, requestId: string) {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
}

function writeAndClose(
  socket: Duplex,
  { status, body }: Answer,
  headers: Record<string, string | number>,
): void {
  const reason = status === 404 ? 'Not Found' : 'Bad Request';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
  destroySoon(socket);
}

/** Not at once: closing on a sender that is still sending resets the connection, and the answer may be lost. */
function destroySoon(socket: Duplex): void {
  if (!socket.writableEnded) socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
