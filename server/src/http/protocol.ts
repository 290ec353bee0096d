import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../context.ts';
import { AppError, invalid } from '../errors.ts';
import { errorAnswer } from './envelope.ts';

/** Ends a request whose sender is too slow; others are served as before. */
export const SLOW_SENDER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};

const MESSAGES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
  HPE_HEADER_OVERFLOW: 'the headers are too large',
};

/**
 * What Node's HTTP parser refuses never becomes a request, so Fastify cannot answer it. These
 * answers are written by hand, in the same envelope, and the connection is closed.
 */
export function answerProtocolErrors(server: Server, clock: Clock): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || answerHasBegun(socket)) {
      socket.destroy();
      return;
    }
    writeAndClose(
      socket,
      requestError(MESSAGES[error.code ?? ''] ?? 'this is not valid HTTP'),
      clock,
    );
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    writeAndClose(socket, new AppError('NOT_FOUND', 'There is nothing at this path.'), clock);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = errorAnswer(
      requestError('the Expect header is not supported'),
      randomUUID(),
      clock.now(),
    );
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      connection: 'close',
    });
    response.end(body);
  });
}

function requestError(message: string): AppError {
  return invalid([{ location: 'request', code: 'malformed', message }]);
}

/** A request whose body is late may have been answered already: a second answer would confuse its reader. */
function answerHasBegun(
  socket: Duplex & { _httpMessage?: { headersSent?: boolean } | null },
): boolean {
  return socket._httpMessage?.headersSent === true;
}

function writeAndClose(socket: Duplex, error: AppError, clock: Clock): void {
  const requestId = randomUUID();
  const { status, body } = errorAnswer(error, requestId, clock.now());
  const reason = status === 404 ? 'Not Found' : 'Bad Request';
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
