import { createHmac } from 'node:crypto';
import type { Database } from './host.ts';
import { findObject } from './store.ts';

const TIMEOUT_MS = 10_000;

/** One attempt; every attempt sends the same event id. False if there is no such event. */
export async function deliverEvent(
  db: Database,
  eventId: string,
  { url, secret }: { url: string; secret: string },
  signal: AbortSignal,
): Promise<boolean> {
  const event = await findObject(db, 'event', eventId);
  if (!event) return false;
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
  if (!response.ok) throw new Error(`the webhook responded with ${response.status}`);
  return true;
}

/** As Stripe signs: the time and the exact bytes of the body. */
function signPayload(body: string, secret: string, time: number): string {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}
