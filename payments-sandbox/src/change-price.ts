import { refused } from './failure.ts';
import type { Work } from './host.ts';
import { billSubscription } from './invoices.ts';
import type { Subscription } from './objects.ts';
import { nextPeriodEnd } from './periods.ts';
import { SANDBOX_PRICES } from './prices.ts';
import { billed, itemOf, updateSubscription, withItem } from './subscriptions.ts';

/**
 * A new interval starts a new period and costs its full price. Within the same interval the period stays: a
 * more expensive plan costs the difference now, a cheaper one nothing. The time left is not prorated.
 */
export async function changePrice(
  work: Work,
  subscription: Subscription,
  priceId: string,
): Promise<void> {
  const { now } = work;
  const price = SANDBOX_PRICES.get(priceId);
  if (!price) throw refused('That plan is not for sale.');
  const old = itemOf(subscription).price;
  if (old.id === priceId) return;
  const isNewPeriod = old.recurring?.interval !== price.recurring?.interval;
  const end = nextPeriodEnd(now, now, price);
  const period = isNewPeriod && { current_period_start: now, current_period_end: end };
  const changed: Subscription = {
    ...withItem(subscription, { price, ...period }),
    ...(isNewPeriod && { billing_cycle_anchor: now }),
  };
  const amount = price.unit_amount - (isNewPeriod ? 0 : old.unit_amount);
  const invoice =
    amount > 0 &&
    (await billSubscription(work, changed, { reason: 'subscription_update', amount }));
  await updateSubscription(work, invoice ? billed(changed, invoice) : changed);
}
