import type { FieldError } from './types.ts';

/** The fields of an error. */
export interface ErrorFields {
  code: string;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: Record<string, unknown> | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The base class of every error in this SDK. Branch on `code` or on the class. */
export class AtriumError extends Error {
  static {
    this.prototype.name = 'AtriumError';
  }

  /** The API's code, such as `NOT_FOUND`, or one of this SDK's own, such as `TIMEOUT`. */
  readonly code: string;
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Quote it when you report a problem: the server's log lists the request under this id. */
  readonly requestId: string | undefined;
  readonly details: Record<string, unknown>;
  /** Seconds to wait before trying again, as requested by the server. */
  readonly retryAfter: number | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.details = fields.details ?? {};
    this.retryAfter = fields.retryAfter;
  }

  /** For CONFLICT and FORBIDDEN: a stable identifier of the cause, such as `slug_taken`. */
  get reason(): string | undefined {
    const { reason } = this.details;
    return typeof reason === 'string' ? reason : undefined;
  }
}

/** 400: the body or the query is invalid. `errors` lists every invalid field. */
export class ValidationError extends AtriumError {
  static {
    this.prototype.name = 'ValidationError';
  }

  get errors(): FieldError[] {
    const { errors } = this.details;
    return Array.isArray(errors) ? errors : [];
  }
}

/** 401: the key is missing, unknown, expired or revoked, or belongs to the other API. */
export class AuthError extends AtriumError {
  static {
    this.prototype.name = 'AuthError';
  }
}

/** 403: the caller is not allowed to do this. `reason` says why. */
export class ForbiddenError extends AtriumError {
  static {
    this.prototype.name = 'ForbiddenError';
  }
}

/** 404: the resource does not exist, or the caller can't see it. */
export class NotFoundError extends AtriumError {
  static {
    this.prototype.name = 'NotFoundError';
  }
}

/** 409: the request conflicts with the current state. `reason` says how. */
export class ConflictError extends AtriumError {
  static {
    this.prototype.name = 'ConflictError';
  }
}

/** 429, after all retries: the key reached its rate limit. Wait `retryAfter` seconds. */
export class RateLimitError extends AtriumError {
  static {
    this.prototype.name = 'RateLimitError';
  }
}

/** 500, after all retries: the server failed. Its log has the cause under `requestId`. */
export class InternalError extends AtriumError {
  static {
    this.prototype.name = 'InternalError';
  }
}

/** No response or an incomplete one: the server can't be reached, or the connection closed. */
export class ConnectionError extends AtriumError {
  static {
    this.prototype.name = 'ConnectionError';
  }
}

/** No complete response within `timeout` milliseconds. */
export class TimeoutError extends AtriumError {
  static {
    this.prototype.name = 'TimeoutError';
  }
}

/** The response is not Atrium's: another server, a proxy's error page or a redirect. */
export class NotAtriumError extends AtriumError {
  static {
    this.prototype.name = 'NotAtriumError';
  }
}

/** The call was not sent, because an option, an id or the body is invalid. */
export class UsageError extends AtriumError {
  static {
    this.prototype.name = 'UsageError';
  }

  constructor(message: string, cause?: unknown) {
    super(message, { code: 'USAGE_ERROR', cause });
  }
}

const CLASSES: Record<string, typeof AtriumError> = {
  VALIDATION_ERROR: ValidationError,
  AUTH_ERROR: AuthError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  RATE_LIMIT: RateLimitError,
  INTERNAL_ERROR: InternalError,
};

/** Creates the error for an API code. An unknown code becomes a plain AtriumError. */
export function errorOfCode(message: string, fields: ErrorFields): AtriumError {
  const ErrorClass = Object.hasOwn(CLASSES, fields.code) ? CLASSES[fields.code] : undefined;
  const error = new (ErrorClass ?? AtriumError)(message, fields);
  if (!(error instanceof ValidationError) || error.errors.length === 0) return error;
  const invalid = error.errors.map(({ location, message }) => `${location} ${message}`);
  return new ValidationError(`${message} (${invalid.join('; ')})`, fields);
}
