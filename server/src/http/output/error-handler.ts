import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../../core/errors.ts';
import { errorResponse } from './envelope.ts';
import { bodyError } from '../input/json.ts';
import { sendResponse, type PipelineParts } from '../pipeline.ts';
import { unsupportedContentType } from '../input/request-input.ts';
import { nothingHere } from '../input/unknown-path.ts';
import { errorCode } from '../../core/error-code.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Sends any error in the envelope. Unexpected errors are logged and not shown. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PipelineParts,
): FastifyReply {
  const known = toAppError(error, request.raw);
  if (known.code === 'INTERNAL_ERROR') {
    parts.log.error(
      { err: error, requestId: request.id, route: request.routeOptions.url },
      'request failed',
    );
  }
  // Framework errors, such as an invalid URL, never reach the onRequest hook.
  void reply.header('X-Request-Id', request.id);
  if (known.retryAfterSeconds !== undefined)
    void reply.header('Retry-After', known.retryAfterSeconds);
  if (known.code === 'AUTH_ERROR') void reply.header('WWW-Authenticate', 'Bearer');
  // Fastify closes the connection when a body is too large, which can cut off the response before the
  // sender has read it. Without this header, Node reads and discards the rest, up to the slow-sender limit.
  if (errorCode(error) === TOO_LARGE) void reply.removeHeader('connection');
  return sendResponse(reply, errorResponse(known, request.id, parts.clock.now()));
}

const TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE';

function toAppError(error: unknown, request: IncomingMessage): AppError {
  if (error instanceof AppError) return error;
  const code = errorCode(error);
  if (code === 'FST_ERR_BAD_URL') return nothingHere();
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedContentType();
  if (code === TOO_LARGE) {
    return invalid([bodyError('too_large', `the body is larger than ${MAX_BODY_BYTES} bytes`)]);
  }
  if (isRefusedByFastify(error) || (code === 'ECONNRESET' && isCutShort(request))) {
    const message = 'this is not a valid request';
    return invalid([{ location: 'request', code: 'malformed', message }]);
  }
  return new AppError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Include the requestId when you report it.',
  );
}

function isRefusedByFastify(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: number };
  return errorCode(error)?.startsWith('FST_ERR_') === true && (statusCode ?? 500) < 500;
}

/** The sender disconnected while sending the body, so this is not our failure. */
function isCutShort(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}
