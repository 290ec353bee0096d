import type Stripe from 'stripe';
import type { Interval } from '../payments.ts';
import { expireCheckout, settleCheckout } from './checkouts.ts';
import { emitEvent, REDELIVER_AFTER, SANDBOX_WEBHOOK } from './events.ts';
import { MOST_ATTEMPTS, payInvoice } from './invoices.ts';
import { itemOf, nextPeriodEnd } from './objects/subscription.ts';
import { claimDue, lockObject, purgeDue, saveObject, setDueAt } from './store.ts';
import {
  billSubscription,
  endSubscription,
  findOpenInvoice,
  saveSubscription,
  takeOutcome,
  updated,
} from './subscriptions.ts';
import { doWork, type SandboxParts, type Work } from './work.ts';

/** Stripe gives up on an event after three days. */
const DELIVER_FOR = 3 * 86_400;

/**
 * Does what has become due: renewals, offers that lapse, money that arrives, events that nobody took.
 * One thing per transaction, and each is due no longer once it is done.
 */
export async function renewSubscriptions(parts: SandboxParts): Promise<number> {
  let done = 0;
  const each = async (work: (work: Work) => Promise<boolean>) => {
    while (await doWork(parts, work)) done++;
  };
  await each(async (work) => {
    const checkout = await claimDue(work.tx, 'checkout.session', work.now);
    if (checkout?.status === 'open') await expireCheckout(work, checkout);
    else if (checkout) await settleCheckout(work, checkout);
    return checkout !== undefined;
  });
  await each(async (work) => {
    const subscription = await claimDue(work.tx, 'subscription', work.now);
    if (subscription) await catchUp(work, subscription);
    return subscription !== undefined;
  });
  await each(redeliver);
  await purgeDue(parts.db, ['sandbox.answer', 'billing_portal.session'], parts.now());
  return done;
}

/** Step by step, in the order in which the steps were due. */
export async function catchUp(work: Work, start: Stripe.Subscription): Promise<void> {
  let subscription = start;
  while (subscription.status !== 'canceled') {
    const open = await findOpenInvoice(work, subscription);
    const retryAt = open?.next_payment_attempt ?? Number.POSITIVE_INFINITY;
    const endAt = itemOf(subscription).current_period_end;
    if (Math.min(retryAt, endAt) > work.now) {
      // Found too early, so that it would be found again at once.
      if (subscription === start) await saveSubscription(work, subscription);
      return;
    }
    if (open && retryAt <= endAt) {
      subscription = await payOpenInvoice(work, subscription, open, retryAt);
    } else if (subscription.cancel_at_period_end) {
      subscription = await endSubscription(work, subscription, 'cancellation_requested', endAt);
    } else {
      subscription = await rollOver(work, subscription);
    }
  }
}

async function rollOver(work: Work, before: Stripe.Subscription): Promise<Stripe.Subscription> {
  const item = itemOf(before);
  const { current_period_start: oldStart, current_period_end: start, price, quantity = 1 } = item;
  const interval: Interval = price.recurring?.interval === 'year' ? 'annual' : 'monthly';
  const end = nextPeriodEnd(before.billing_cycle_anchor, start, interval);
  const outcome = await takeOutcome(work, before.id);
  const line = {
    description: price.nickname ?? price.id,
    amount: (price.unit_amount ?? 0) * quantity,
    isProration: false,
    period: { start, end },
  };
  const bill = {
    reason: 'subscription_cycle' as const,
    period: { start: oldStart, end: start },
    lines: [line],
  };
  const invoice = await billSubscription(work, before, bill, outcome, start);
  await emitEvent(work, outcome === 'failed' ? 'invoice.payment_failed' : 'invoice.paid', invoice);
  const renewed = { ...item, current_period_start: start, current_period_end: end };
  return updated(work, before, {
    ...before,
    items: { ...before.items, data: [renewed] },
    latest_invoice: invoice.id,
    status: outcome === 'failed' ? 'past_due' : 'active',
  });
}

/** Tries once more what failed. After the last attempt the subscription ends. */
export async function payOpenInvoice(
  work: Work,
  subscription: Stripe.Subscription,
  open: Stripe.Invoice,
  at = work.now,
): Promise<Stripe.Subscription> {
  const outcome = await takeOutcome(work, subscription.id);
  const locked = await lockObject(work.tx, 'invoice', open.id);
  const invoice = await payInvoice(work, locked, outcome, at);
  if (outcome === 'succeeded') {
    await emitEvent(work, 'invoice.paid', invoice);
    return updated(work, subscription, { ...subscription, status: 'active' });
  }
  await emitEvent(work, 'invoice.payment_failed', invoice);
  if (invoice.attempt_count < MOST_ATTEMPTS) return updated(work, subscription, subscription);
  await saveObject(work.tx, { ...invoice, status: 'uncollectible' });
  return endSubscription(work, subscription, 'payment_failed');
}

/** Its job gave up: a new one tries on. */
async function redeliver({ tx, jobs, now }: Work): Promise<boolean> {
  const event = await claimDue(tx, 'event', now);
  if (!event) return false;
  const isOver = event.created + DELIVER_FOR < now;
  await setDueAt(tx, event.id, isOver ? null : now + REDELIVER_AFTER);
  const payload = { eventId: event.id };
  if (!isOver) jobs.enqueue(tx, { kind: SANDBOX_WEBHOOK, payload, unlessQueued: true });
  return true;
}
