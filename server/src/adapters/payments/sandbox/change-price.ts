import type Stripe from 'stripe';
import { emitEvent } from './events.ts';
import { noSuch } from './failure.ts';
import type { InvoiceLine } from './objects/invoice.ts';
import { itemOf, nextPeriodEnd, pricing } from './objects/subscription.ts';
import { findPrice, priceTitle, type SandboxPrice } from './prices.ts';
import { billSubscription, updated } from './subscriptions.ts';
import type { Work } from './work.ts';

/**
 * From now on, as Stripe does it: another interval begins a new period and is paid at once, less what is
 * left of the old one; a dearer plan pays the rest of this period where `invoiceNow`; a cheaper one is free.
 */
export async function changePrice(
  work: Work,
  subscription: Stripe.Subscription,
  priceId: string,
  { invoiceNow }: { invoiceNow: boolean },
): Promise<Stripe.Subscription> {
  const price = findPrice(priceId);
  if (!price) throw noSuch('price', priceId, 'items[0][price]');
  const item = itemOf(subscription);
  if (item.price.id === priceId) return subscription;
  const old = findPrice(item.price.id);
  const isNewPeriod = old?.interval !== price.interval;
  const period = isNewPeriod
    ? { start: work.now, end: nextPeriodEnd(work.now, work.now, price.interval) }
    : { start: item.current_period_start, end: item.current_period_end };
  const changed: Stripe.Subscription = {
    ...subscription,
    ...(isNewPeriod && { billing_cycle_anchor: work.now }),
    items: {
      ...subscription.items,
      data: [
        {
          ...item,
          ...pricing(priceId, price),
          current_period_start: period.start,
          current_period_end: period.end,
        },
      ],
    },
  };
  const lines = linesOf(item, price, work.now, period);
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  if (!isNewPeriod && (!invoiceNow || total <= 0)) return updated(work, subscription, changed);
  const invoice = await billSubscription(
    work,
    changed,
    { reason: 'subscription_update', period: { start: work.now, end: work.now }, lines },
    'succeeded',
  );
  await emitEvent(work, 'invoice.paid', invoice);
  return updated(work, subscription, { ...changed, latest_invoice: invoice.id });
}

function linesOf(
  item: Stripe.SubscriptionItem,
  price: SandboxPrice,
  now: number,
  period: { start: number; end: number },
): InvoiceLine[] {
  const { current_period_start: start, current_period_end: end, quantity = 1 } = item;
  const oldAmount = (item.price.unit_amount ?? 0) * quantity;
  const newAmount = price.amount * quantity;
  const left = Math.min(1, Math.max(0, (end - now) / (end - start)));
  const isNewPeriod = period.start === now && period.end !== end;
  return [
    {
      description: `Unused time on ${item.price.nickname ?? item.price.id}`,
      amount: -Math.round(oldAmount * left),
      isProration: true,
      period: { start: now, end },
    },
    {
      description: isNewPeriod ? priceTitle(price) : `Remaining time on ${priceTitle(price)}`,
      amount: isNewPeriod ? newAmount : Math.round(newAmount * left),
      isProration: !isNewPeriod,
      period: { start: now, end: period.end },
    },
  ];
}
