import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/context.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { errorResponse, type HttpResponse } from '../output/envelope.ts';

export interface SlowSenderLimits {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

/** Ends requests whose sender is too slow. Other requests are not affected. */
export const SLOW_SENDER_LIMITS: SlowSenderLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * How long a connection may rest between two requests. Longer than clients keep one to use it again, or
 * they send a request just as it is closed: browsers up to 5 minutes, load balancers up to 10.
 */
export const KEEP_ALIVE_MS = 620_000;

/** How long a refused sender may take to read the response and disconnect. */
const LINGER_MS = 1_000;

const TOO_SLOW = 'the request took too long to arrive';
const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const requestIds = new WeakMap<IncomingMessage, string>();

/** The id for this request's response and log lines: the one it was sent with, if that is valid. */
export function requestIdOf(request: IncomingMessage): string {
  const known = requestIds.get(request);
  if (known !== undefined) return known;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
  requestIds.set(request, id);
  return id;
}

const refused = new WeakSet<Duplex>();

/** Ignores everything that still arrives on this connection, even if Node has already read it. */
export function refuseFurtherRequests(socket: Duplex): void {
  refused.add(socket);
}

export function isRefused(socket: Duplex): boolean {
  return refused.has(socket);
}

const patient = new WeakSet<IncomingMessage>();

/** For a body that may take as long as something arrives. Whoever reads it sees to that. */
export function allowSlowBody(request: IncomingMessage): void {
  patient.add(request);
}

/** A sender who is answered early may send all of a file before it reads the answer. */
const DISCARD_MS = 10_000;

/** Whatever is left of such a body when it is answered is read and discarded, but not for long. */
export function endUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  response.once('finish', () => {
    const timer = setTimeout(() => request.destroy(), DISCARD_MS);
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => clearTimeout(timer));
    request.resume();
  });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Requests that Node's HTTP parser refuses never reach Fastify. This writes the response to them itself,
 * in the same envelope, and closes the connection.
 */
export function answerProtocolErrors(
  server: Server,
  clock: Clock,
  headers: Record<string, string>,
): void {
  const latest = new WeakMap<Duplex, Exchange>();

  function refuse(socket: Duplex, error: AppError, requestId?: string): void {
    if (isRefused(socket)) return; // Whatever a refused sender still sends is discarded.
    refuseFurtherRequests(socket);
    // The sender may reset the connection at any time. Without a listener that would end the process.
    socket.on('error', () => socket.destroy());
    const last = latest.get(socket);
    const say = (id = requestId ?? randomUUID()) => {
      if (!socket.writable) return;
      const response = errorResponse(error, id, clock.now());
      writeAndClose(socket, response, { ...headers, ...responseHeaders(response.body, id) });
    };
    if (!last || (last.request.complete && last.response.writableFinished)) {
      say();
    } else if (last.request.complete) {
      // The error follows a valid request, whose response has to be sent first.
      last.response.once('close', () => say());
    } else if (last.response.headersSent) {
      destroySoon(socket); // It was answered before its body was read, and a second response would be wrong.
    } else {
      socket.pause(); // The rest of the body must not arrive and be processed.
      say(requestIdOf(last.request));
    }
  }

  const late = new WeakSet<Duplex>();

  /**
   * What is in the kernel's buffer was sent in time: a busy process has not read it yet. Such a sender
   * gets the time for a head once more, and only once, because Node no longer watches this request.
   */
  function refuseSlow(socket: Socket): void {
    const { bytesRead } = socket;
    const last = latest.get(socket);
    if (last && !last.request.complete && patient.has(last.request)) return;
    const isNew = last?.request.complete !== false;
    const refuseIfIncomplete = () => {
      const current = latest.get(socket);
      const isComplete = current?.request.complete === true && !(isNew && current === last);
      if (!isComplete) refuse(socket, requestError(TOO_SLOW));
    };
    setImmediate(() => {
      if (socket.bytesRead === bytesRead || late.has(socket)) {
        refuse(socket, requestError(TOO_SLOW));
        return;
      }
      late.add(socket);
      const timer = setTimeout(refuseIfIncomplete, server.headersTimeout);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Nobody asked for anything. The sender would take a response for that to its first request.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return;
    if (!socket.writable && !isRefused(socket)) socket.destroy();
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseSlow(socket);
    else refuse(socket, requestError(MESSAGES[error.code ?? ''] ?? 'this is not valid HTTP'));
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const nothing = new AppError('NOT_FOUND', 'Nothing exists at this path.');
    refuse(socket, nothing, requestIdOf(request));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (isRefused(request.socket)) return;
    refuseFurtherRequests(request.socket);
    const requestId = requestIdOf(request);
    const error = requestError('the Expect header is not supported');
    const { status, body } = errorResponse(error, requestId, clock.now());
    response.writeHead(status, { ...headers, ...responseHeaders(body, requestId) }).end(body);
  });
}

function requestError(message: string): AppError {
  return invalid([{ location: 'request', code: 'malformed', message }]);
}

function responseHeaders(body: string, requestId: string) {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
}

function writeAndClose(
  socket: Duplex,
  { status, body }: HttpResponse,
  headers: Record<string, string | number>,
): void {
  const reason = status === 404 ? 'Not Found' : 'Bad Request';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
  destroySoon(socket);
}

/** Waits, because closing while the sender is still sending resets the connection and may lose the response. */
function destroySoon(socket: Duplex): void {
  if (!socket.writableEnded) socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
