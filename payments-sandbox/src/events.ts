import type Stripe from 'stripe';
import type { Work } from './host.ts';
import { newId, withoutHidden, type Event, type SandboxObject } from './objects.ts';
import { insertObject } from './store.ts';

/** The version that the SDK requests. */
export const API_VERSION: typeof Stripe.API_VERSION = '2026-10-28.endive';

/** Stores an event together with the change it reports, and queues its delivery. */
export async function emitEvent(
  { host, tx, now }: Work,
  type: Event['type'],
  object: SandboxObject,
): Promise<void> {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: now,
    data: { object: withoutHidden(object) },
    livemode: false,
    type,
  };
  await insertObject(tx, event);
  host.enqueueDelivery(tx, event.id);
}
