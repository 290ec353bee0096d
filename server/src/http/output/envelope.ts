import type { AppError, ErrorCode } from '../../core/errors.ts';
import { writeJson } from '../../lists/json-list.ts';

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

export async function successResponse(
  status: number,
  data: unknown,
  requestId: string,
  now: Date,
): Promise<HttpResponse> {
  if (status === 204) return { status, body: '' };
  const metadata = JSON.stringify({ timestamp: now.toISOString(), requestId });
  const parts = ['{"success":true,"data":', ...(await writeJson(data)), `,"metadata":${metadata}}`];
  return { status, body: parts.join('') };
}

export function errorResponse(error: AppError, requestId: string, now: Date): HttpResponse {
  const { code, message, details } = error;
  const metadata = { timestamp: now.toISOString(), requestId };
  return {
    status: STATUS_OF_CODE[code],
    body: JSON.stringify({ success: false, error: { code, message, details }, metadata }),
  };
}
