import type Stripe from 'stripe';
import { insertObject, newSandboxId, type SandboxObject } from './store.ts';
import type { Work } from './work.ts';

export const SANDBOX_WEBHOOK = 'sandbox-webhook';

/** The version whose shapes these are: the one that the SDK asks for. */
export const API_VERSION: typeof Stripe.API_VERSION = '2026-10-28.endive';

export type SandboxEventType =
  | 'checkout.session.completed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.expired'
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'charge.refunded'
  | 'charge.dispute.created'
  | 'charge.dispute.closed';

/** How long a delivery may take, with all attempts of its job, before it is queued once more. */
export const REDELIVER_AFTER = 3_600;

/** Writes an event down with the change it tells of, and queues its delivery. */
export async function emitEvent(
  { tx, jobs, now }: Work,
  type: SandboxEventType,
  object: SandboxObject,
  previous?: object,
): Promise<void> {
  const event = {
    id: newSandboxId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: now,
    data: {
      object: withoutParts(object),
      ...(previous && { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } as Stripe.Event;
  await insertObject(tx, event, now + REDELIVER_AFTER);
  jobs.enqueue(tx, { kind: SANDBOX_WEBHOOK, payload: { eventId: event.id } });
}

const UNSHOWN = new Set(['line_items', 'bought_metadata']);

/** Without what is shown to nobody, or only to who asks for it by name. */
export function withoutParts<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !UNSHOWN.has(key))) as T;
}
