import { conflict } from '../../core/errors.ts';
import type { HttpResponse } from '../output/envelope.ts';
import type { AnyContext, Input, Route, RouteRequest } from '../route.ts';

/**
 * Whether the caller may be sent a stored response again. Throws what a new request would get if a right
 * was lost since. A 404 shows nothing.
 */
export async function mayReplay(
  { mayReplay: check }: Route,
  ctx: AnyContext,
  input: Input<RouteRequest>,
  { status, body }: HttpResponse,
): Promise<boolean> {
  if (status === 404 || check === undefined || check === 'always') return true;
  const { data } = (body === '' ? {} : JSON.parse(body)) as { data?: unknown };
  return (await check(ctx, input, data)) !== false;
}

/** A write is never run twice, so there is no other response for its repetition. */
export function responseNotKept(): Error {
  return conflict(
    'idempotency_response_dropped',
    'This request was carried out, but its response is no longer kept. Read the current state instead.',
  );
}
