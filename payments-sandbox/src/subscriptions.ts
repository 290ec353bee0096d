import { emitEvent } from './events.ts';
import type { Work } from './host.ts';
import { billSubscription, collect } from './invoices.ts';
import {
  listOf,
  newId,
  type Invoice,
  type Price,
  type Subscription,
  type SubscriptionItem,
} from './objects.ts';
import { nextPeriodEnd } from './periods.ts';
import { insertObject, lockObject, saveObject } from './store.ts';

/** Begins a subscription with its first invoice paid. */
export async function startSubscription(
  work: Work,
  customer: string,
  price: Price,
): Promise<Subscription> {
  const { tx, now } = work;
  const id = newId('sub');
  const item: SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    current_period_start: now,
    current_period_end: nextPeriodEnd(now, now, price),
    price,
  };
  const subscription: Subscription = {
    id,
    object: 'subscription',
    billing_cycle_anchor: now,
    cancel_at_period_end: false,
    created: now,
    customer,
    declines_next: false,
    ended_at: null,
    items: listOf(`/v1/subscription_items?subscription=${id}`, [item]),
    latest_invoice: null,
    livemode: false,
    retry_at: null,
    status: 'active',
  };
  await insertObject(tx, subscription);
  const invoice = await billSubscription(work, subscription, {
    reason: 'subscription_create',
    amount: price.unit_amount,
  });
  const after = billed(subscription, invoice);
  await saveSubscription(work, after);
  return after;
}

/** The sandbox sells one thing per subscription. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`subscription ${subscription.id} has no item`);
  return item;
}

export function withItem(
  subscription: Subscription,
  change: Partial<SubscriptionItem>,
): Subscription {
  const item = { ...itemOf(subscription), ...change };
  return { ...subscription, items: { ...subscription.items, data: [item] } };
}

/** A subscription's status follows its latest invoice. */
export function billed(subscription: Subscription, invoice: Invoice): Subscription {
  return {
    ...subscription,
    latest_invoice: invoice.id,
    retry_at: invoice.next_payment_attempt,
    status: invoice.status === 'paid' ? 'active' : 'past_due',
  };
}

/** Due again when its period ends or when a failed payment is retried. */
export async function saveSubscription({ tx }: Work, subscription: Subscription): Promise<void> {
  if (subscription.status === 'canceled') return saveObject(tx, subscription);
  const end = itemOf(subscription).current_period_end;
  await saveObject(tx, subscription, Math.min(end, subscription.retry_at ?? end));
}

export async function updateSubscription(work: Work, after: Subscription): Promise<Subscription> {
  await saveSubscription(work, after);
  await emitEvent(work, 'customer.subscription.updated', after);
  return after;
}

/** With `isCancelled` false, a subscription that was cancelled goes on. */
export async function setCancelAtPeriodEnd(
  work: Work,
  subscription: Subscription,
  isCancelled: boolean,
): Promise<void> {
  if (subscription.cancel_at_period_end === isCancelled) return;
  await updateSubscription(work, { ...subscription, cancel_at_period_end: isCancelled });
}

/** At once, without a refund. */
export async function endSubscription(
  work: Work,
  subscription: Subscription,
  endedAt = work.now,
): Promise<Subscription> {
  const after: Subscription = { ...subscription, status: 'canceled', ended_at: endedAt };
  await saveSubscription(work, after);
  await emitEvent(work, 'customer.subscription.deleted', after);
  return after;
}

/** Retries a failed payment. After the last attempt the subscription ends. */
export async function payOpenInvoice(
  work: Work,
  subscription: Subscription,
  at = work.now,
): Promise<Subscription> {
  const { latest_invoice: id, declines_next: isDeclined } = subscription;
  const open = await lockObject(work.tx, 'invoice', id ?? '');
  const invoice = await collect(work, open, isDeclined, at);
  const after = { ...billed(subscription, invoice), declines_next: false };
  return invoice.status === 'uncollectible'
    ? endSubscription(work, after)
    : updateSubscription(work, after);
}
