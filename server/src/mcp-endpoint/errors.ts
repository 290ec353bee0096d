import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Context } from '../core/context.ts';
import { AppError, invalid, type FieldError } from '../core/errors.ts';

type Reporter = Pick<Context, 'log' | 'requestId'>;

/** Unexpected errors are logged and not shown. */
export function toAppError(
  ctx: Reporter,
  error: unknown,
  where: Record<string, unknown>,
): AppError {
  if (error instanceof AppError) return error;
  ctx.log.error({ err: error, ...where }, 'MCP request failed');
  return new AppError(
    'INTERNAL_ERROR',
    `Something went wrong on the server. Quote the requestId ${ctx.requestId} when you report it.`,
  );
}

/** Services name fields of the body or the query. For a tool, these are arguments. */
export function withLocations(error: AppError): AppError {
  const errors = error.details['errors'];
  if (error.code !== 'VALIDATION_ERROR' || !Array.isArray(errors)) return error;
  return invalid(
    (errors as FieldError[]).map(({ location, ...rest }) => ({
      ...rest,
      location: location.replace(/^(body|query)(?=[.[]|$)/, 'arguments'),
    })),
  );
}

/** For methods whose result cannot be an error. */
export function toProtocolError(ctx: Reporter, error: unknown, uri?: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { code, message, details } = toAppError(ctx, error, { uri });
  if (code === 'NOT_FOUND' && uri !== undefined) return new ResourceNotFoundError(uri, message);
  const number =
    code === 'INTERNAL_ERROR' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return new ProtocolError(number, message, { code, details });
}
