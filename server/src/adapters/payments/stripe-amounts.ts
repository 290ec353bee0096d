import type { Amount } from './payments.ts';
import { orMissing, type Ask } from './stripe-state.ts';

const KEPT_MS = 10 * 60_000;

/** What prices cost. They rarely change, and the billing page asks for all of them. */
export function createAmounts(ask: Ask) {
  const kept = new Map<string, { until: number; amount: Promise<Amount | undefined> }>();
  return (priceId: string): Promise<Amount | undefined> => {
    const known = kept.get(priceId);
    if (known && known.until > performance.now()) return known.amount;
    const amount = readAmount(ask, priceId);
    kept.set(priceId, { until: performance.now() + KEPT_MS, amount });
    // The next caller asks again.
    amount.catch(() => kept.delete(priceId));
    return amount;
  };
}

async function readAmount(ask: Ask, priceId: string): Promise<Amount | undefined> {
  const price = await ask((stripe) => orMissing(stripe.prices.retrieve(priceId)));
  if (price?.unit_amount == null) return undefined;
  return { amount: price.unit_amount, currency: price.currency.toUpperCase() };
}
