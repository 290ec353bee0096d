import type { AppError, ErrorCode } from '../errors.ts';

export const STATUS_OF_CODE: Record<ErrorCode, number> = {
  AUTH_ERROR: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  CONFLICT: 409,
  RATE_LIMIT: 429,
  INTERNAL_ERROR: 500,
};

/** A finished response, which an idempotent replay repeats byte for byte. */
export interface HttpResponse {
  status: number;
  /** Empty for 204. */
  body: string;
}

export function successResponse(
  status: number,
  data: unknown,
  requestId: string,
  now: Date,
): HttpResponse {
  if (status === 204) return { status, body: '' };
  const metadata = { timestamp: now.toISOString(), requestId };
  return { status, body: JSON.stringify({ success: true, data, metadata }) };
}

export function errorResponse(error: AppError, requestId: string, now: Date): HttpResponse {
  const { code, message, details } = error;
  const metadata = { timestamp: now.toISOString(), requestId };
  return {
    status: STATUS_OF_CODE[code],
    body: JSON.stringify({ success: false, error: { code, message, details }, metadata }),
  };
}
