import { emitEvent } from './events.ts';
import type { Work } from './host.ts';
import type { Checkout } from './objects.ts';
import { takePayment } from './payments.ts';
import { lockObject, saveObject } from './store.ts';
import { startSubscription } from './subscriptions.ts';

/** Pays a checkout that is open. Concurrent requests pay it once. */
export async function payCheckout(work: Work, id: string): Promise<void> {
  const checkout = await lockObject(work.tx, 'checkout.session', id);
  if (checkout.status !== 'open') return;
  if (checkout.expires_at <= work.now) {
    await saveObject(work.tx, { ...checkout, status: 'expired', url: null });
    return;
  }
  await completeCheckout(work, checkout, {
    ...(checkout.mode === 'subscription'
      ? await payForPlan(work, checkout)
      : await payOnce(work, checkout)),
    payment_status: 'paid',
  });
}

/** The row must be locked. */
export async function completeCheckout(
  work: Work,
  checkout: Checkout,
  outcome: Partial<Checkout>,
): Promise<void> {
  const after: Checkout = { ...checkout, ...outcome, status: 'complete', url: null };
  await saveObject(work.tx, after);
  await emitEvent(work, 'checkout.session.completed', after);
}

async function payOnce(work: Work, checkout: Checkout): Promise<Partial<Checkout>> {
  const { amount_total: amount, customer } = checkout;
  const { description } = lineOf(checkout);
  return { payment_intent: (await takePayment(work, { amount, customer, description })).id };
}

async function payForPlan(work: Work, checkout: Checkout): Promise<Partial<Checkout>> {
  const { price } = lineOf(checkout);
  const started = await startSubscription(work, checkout.customer ?? '', price);
  return { subscription: started.id, invoice: started.latest_invoice };
}

export function lineOf(checkout: Checkout) {
  const [line] = checkout.line_items.data;
  if (!line) throw new Error(`checkout ${checkout.id} has no line item`);
  return line;
}
