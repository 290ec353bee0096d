import type Stripe from 'stripe';
import { emitEvent } from './events.ts';
import { refused } from './failure.ts';
import { newInvoice, type InvoiceDraft } from './objects/invoice.ts';
import {
  cancelledFor,
  itemOf,
  newSubscription,
  type SubscriptionDraft,
} from './objects/subscription.ts';
import { payInvoice } from './invoices.ts';
import { priceTitle } from './prices.ts';
import {
  deleteObject,
  findObject,
  getObject,
  idOf,
  insertIfNew,
  insertObject,
  lockObject,
  saveObject,
} from './store.ts';
import type { Work } from './work.ts';

/** Paid for already: the first invoice comes with it. */
export async function startSubscription(
  work: Work,
  draft: SubscriptionDraft,
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const { tx, now } = work;
  const subscription = newSubscription(draft, now);
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  await insertObject(tx, subscription);
  const invoice = await billSubscription(
    work,
    subscription,
    {
      reason: 'subscription_create',
      period: { start, end: start },
      lines: [
        {
          description: priceTitle(draft.price),
          amount: draft.price.amount * draft.quantity,
          isProration: false,
          period: { start, end },
        },
      ],
    },
    'succeeded',
  );
  const after = { ...subscription, latest_invoice: invoice.id };
  await saveSubscription(work, after);
  await emitEvent(work, 'customer.subscription.created', after);
  await emitEvent(work, 'invoice.paid', invoice);
  return { subscription: after, invoice };
}

export async function billSubscription(
  work: Work,
  subscription: Stripe.Subscription,
  draft: InvoiceDraft,
  status: 'succeeded' | 'failed',
  at = work.now,
): Promise<Stripe.Invoice> {
  const customer = await getObject(work.tx, 'customer', idOf(subscription.customer));
  const invoice = newInvoice(subscription, customer, draft, work.now);
  await insertObject(work.tx, invoice);
  return payInvoice(work, invoice, status, at);
}

/** Writes it down, to be found again when its period ends or a failed payment is tried again. */
export async function saveSubscription(
  { tx }: Work,
  subscription: Stripe.Subscription,
): Promise<void> {
  if (subscription.status === 'canceled') return saveObject(tx, subscription);
  const end = itemOf(subscription).current_period_end;
  const retryAt = (await findOpenInvoice({ tx }, subscription))?.next_payment_attempt ?? end;
  await saveObject(tx, subscription, Math.min(end, retryAt));
}

export async function findOpenInvoice(
  { tx }: Pick<Work, 'tx'>,
  { status, latest_invoice: id }: Stripe.Subscription,
): Promise<Stripe.Invoice | undefined> {
  if (status !== 'past_due' || id === null) return undefined;
  const invoice = await findObject(tx, 'invoice', idOf(id));
  return invoice?.status === 'open' ? invoice : undefined;
}

export async function lockLiveSubscription(work: Work, id: string): Promise<Stripe.Subscription> {
  const subscription = await lockObject(work.tx, 'subscription', id);
  if (subscription.status !== 'canceled') return subscription;
  throw refused(
    'A canceled subscription can only update its cancellation_details and metadata.',
    'resource_missing',
  );
}

/** At the end of the period, or not after all. */
export async function setCancelAtPeriodEnd(
  work: Work,
  subscription: Stripe.Subscription,
  isCancelled: boolean,
): Promise<Stripe.Subscription> {
  if (subscription.cancel_at_period_end === isCancelled) return subscription;
  const after: Stripe.Subscription = {
    ...subscription,
    cancel_at_period_end: isCancelled,
    cancel_at: isCancelled ? itemOf(subscription).current_period_end : null,
    canceled_at: isCancelled ? work.now : null,
    cancellation_details: cancelledFor(isCancelled ? 'cancellation_requested' : null),
  };
  return updated(work, subscription, after);
}

/** At once, and without money back. */
export async function endSubscription(
  work: Work,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
  endedAt = work.now,
): Promise<Stripe.Subscription> {
  const after: Stripe.Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? work.now,
    cancellation_details: cancelledFor(reason),
    ended_at: endedAt,
  };
  await saveSubscription(work, after);
  await emitEvent(work, 'customer.subscription.deleted', after);
  return after;
}

/** Saves it and tells of it, with what it was before where it has changed. */
export async function updated(
  work: Work,
  before: Stripe.Subscription,
  after: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const changed = Object.entries(before).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof typeof after]),
  );
  await saveSubscription(work, after);
  await emitEvent(work, 'customer.subscription.updated', after, Object.fromEntries(changed));
  return after;
}

/** Makes the next renewal fail, once. */
export async function setDeclineNext(
  { tx }: Work,
  subscriptionId: string,
  isOn: boolean,
): Promise<void> {
  const id = declineId(subscriptionId);
  if (isOn) await insertIfNew(tx, { id, object: 'sandbox.setting', value: 'on' });
  else await deleteObject(tx, 'sandbox.setting', id);
}

export async function isDeclineNext(
  { tx }: Pick<Work, 'tx'>,
  subscriptionId: string,
): Promise<boolean> {
  return (await findObject(tx, 'sandbox.setting', declineId(subscriptionId))) !== undefined;
}

/** What the next payment comes to; a failure is used up by it. */
export async function takeOutcome(
  { tx }: Work,
  subscriptionId: string,
): Promise<'succeeded' | 'failed'> {
  const wasOn = await deleteObject(tx, 'sandbox.setting', declineId(subscriptionId));
  return wasOn ? 'failed' : 'succeeded';
}

function declineId(subscriptionId: string): string {
  return `decline_${subscriptionId}`;
}
