import { createHmac } from 'node:crypto';
import type { Queryable } from '../../../db/database.ts';
import { PermanentFailure } from '../../../jobs/handler.ts';
import { findObject, setDueAt } from './store.ts';

const TIMEOUT_MS = 10_000;

export interface Endpoint {
  db: Queryable;
  url: string;
  secret: string;
}

/** One attempt to hand an event over. The same event keeps its id, so the receiver can tell. */
export async function deliverEvent(
  { db, url, secret }: Endpoint,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const eventId = readEventId(payload);
  const event = await findObject(db, 'event', eventId);
  if (!event) throw new PermanentFailure(`there is no sandbox event ${eventId}`);
  const body = JSON.stringify(event);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signPayload(body, secret, Math.floor(Date.now() / 1000)),
      'user-agent': 'Atrium sandbox payments',
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  await setDueAt(db, eventId, null);
}

/** As Stripe signs: over the time and the very bytes that are sent. */
export function signPayload(body: string, secret: string, time: number): string {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}

function readEventId(payload: unknown): string {
  const { eventId } = payload as { eventId?: unknown };
  if (typeof eventId === 'string') return eventId;
  throw new PermanentFailure('the payload names no event');
}
