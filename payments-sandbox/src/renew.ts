import { doWork, nowOf, type SandboxHost, type Work } from './host.ts';
import { billSubscription } from './invoices.ts';
import type { Subscription } from './objects.ts';
import { nextPeriodEnd } from './periods.ts';
import { claimDue, purgeDue } from './store.ts';
import {
  billed,
  endSubscription,
  itemOf,
  payOpenInvoice,
  updateSubscription,
  withItem,
} from './subscriptions.ts';

/** Renews what is due, one subscription per transaction. Returns how many. */
export async function renewSubscriptions(host: SandboxHost): Promise<number> {
  let done = 0;
  while (await doWork(host, renewNext)) done++;
  await purgeDue(host.db, ['sandbox.answer', 'billing_portal.session'], nowOf(host));
  return done;
}

async function renewNext(work: Work): Promise<boolean> {
  const subscription = await claimDue(work.tx, work.now);
  if (subscription) await catchUp(work, subscription);
  return subscription !== undefined;
}

/** Step by step, in the order in which the steps were due. */
export async function catchUp(work: Work, start: Subscription): Promise<void> {
  let subscription = start;
  while (subscription.status !== 'canceled') {
    const retryAt = subscription.retry_at ?? Number.POSITIVE_INFINITY;
    const endAt = itemOf(subscription).current_period_end;
    if (Math.min(retryAt, endAt) > work.now) return;
    if (retryAt <= endAt) subscription = await payOpenInvoice(work, subscription, retryAt);
    else if (subscription.cancel_at_period_end) {
      subscription = await endSubscription(work, subscription, endAt);
    } else subscription = await startNextPeriod(work, subscription);
  }
}

async function startNextPeriod(work: Work, before: Subscription): Promise<Subscription> {
  const { current_period_end: start, price } = itemOf(before);
  const invoice = await billSubscription(work, before, {
    reason: 'subscription_cycle',
    amount: price.unit_amount,
    isDeclined: before.declines_next,
    at: start,
  });
  const renewed = withItem(before, {
    current_period_start: start,
    current_period_end: nextPeriodEnd(before.billing_cycle_anchor, start, price),
  });
  return updateSubscription(work, { ...billed(renewed, invoice), declines_next: false });
}
