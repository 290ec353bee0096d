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

/** A finished answer: what is sent, and what an idempotent replay sends again byte for byte. */
export interface Answer {
  status: number;
  /** Empty for 204. */
  body: string;
}

export function successAnswer(status: number, data: unknown, requestId: string, now: Date): Answer {
  if (status === 204) return { status, body: '' };
  const metadata = { timestamp: now.toISOString(), requestId };
  return { status, body: JSON.stringify({ success: true, data, metadata }) };
}

export function errorAnswer(error: AppError, requestId: string, now: Date): Answer {
  const { code, message, details } = error;
  const metadata = { timestamp: now.toISOString(), requestId };
  return {
    status: STATUS_OF_CODE[code],
    body: JSON.stringify({ success: false, error: { code, message, details }, metadata }),
  };
}
