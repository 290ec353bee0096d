import type { FieldError } from './types.ts';

/** What an error is made of. */
export interface ErrorFields {
  code: string;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: Record<string, unknown> | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Every error of this SDK. Branch on `code`, or on the class. */
export class AtriumError extends Error {
  static {
    this.prototype.name = 'AtriumError';
  }

  /** The API's code, such as `NOT_FOUND`, or one of this SDK's own, such as `TIMEOUT`. */
  readonly code: string;
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** Quote it when you report a problem: the server's log has the request under it. */
  readonly requestId: string | undefined;
  readonly details: Record<string, unknown>;
  /** Seconds after which the server says to try again. */
  readonly retryAfter: number | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.details = fields.details ?? {};
    this.retryAfter = fields.retryAfter;
  }

  /** With CONFLICT and FORBIDDEN: the stable word for what is in the way, such as `slug_taken`. */
  get reason(): string | undefined {
    const { reason } = this.details;
    return typeof reason === 'string' ? reason : undefined;
  }
}

/** 400: the body or the query is not valid. `errors` has every failing field. */
export class ValidationError extends AtriumError {
  static {
    this.prototype.name = 'ValidationError';
  }

  get errors(): FieldError[] {
    const { errors } = this.details;
    return Array.isArray(errors) ? errors : [];
  }
}

/** 401: no key, or one that is unknown, expired, revoked or of the other family. */
export class AuthError extends AtriumError {
  static {
    this.prototype.name = 'AuthError';
  }
}

/** 403: the caller may not do this; `reason` says why. */
export class ForbiddenError extends AtriumError {
  static {
    this.prototype.name = 'ForbiddenError';
  }
}

/** 404: it does not exist, or the caller cannot see it. */
export class NotFoundError extends AtriumError {
  static {
    this.prototype.name = 'NotFoundError';
  }
}

/** 409: something is in the way; `reason` says what. */
export class ConflictError extends AtriumError {
  static {
    this.prototype.name = 'ConflictError';
  }
}

/** 429, after the retries: the key's limit is used up. `retryAfter` has the seconds to wait. */
export class RateLimitError extends AtriumError {
  static {
    this.prototype.name = 'RateLimitError';
  }
}

/** 500, after the retries: the server's mistake. Its log has the cause under `requestId`. */
export class InternalError extends AtriumError {
  static {
    this.prototype.name = 'InternalError';
  }
}

/** No answer, or half of one: the server could not be reached, or the connection broke. */
export class ConnectionError extends AtriumError {
  static {
    this.prototype.name = 'ConnectionError';
  }
}

/** No answer in `timeout` milliseconds. */
export class TimeoutError extends AtriumError {
  static {
    this.prototype.name = 'TimeoutError';
  }
}

/** The answer is not Atrium's: another server, a proxy's error page, a redirect. */
export class NotAtriumError extends AtriumError {
  static {
    this.prototype.name = 'NotAtriumError';
  }
}

/** The call could not be sent as it was written: an option, an id or a body is not usable. */
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

/** The error the API's code stands for. A code that this version does not know is a plain AtriumError. */
export function errorOfCode(message: string, fields: ErrorFields): AtriumError {
  const ErrorClass = Object.hasOwn(CLASSES, fields.code) ? CLASSES[fields.code] : undefined;
  const error = new (ErrorClass ?? AtriumError)(message, fields);
  if (!(error instanceof ValidationError) || error.errors.length === 0) return error;
  const failing = error.errors.map(({ location, message }) => `${location} ${message}`);
  return new ValidationError(`${message} (${failing.join('; ')})`, fields);
}
