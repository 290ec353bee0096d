import type { Price } from './objects.ts';

/** What a month costs, in cents. */
const PLANS = { pro: 1_900, team: 8_900, enterprise: 39_900 };

/** A year costs as much as ten months. */
const INTERVALS = [
  { name: 'monthly', interval: 'month', months: 1 },
  { name: 'annual', interval: 'year', months: 10 },
] as const;

/** Everything the sandbox sells, by price id: `sandbox_<plan>_<interval>`. */
export const SANDBOX_PRICES: ReadonlyMap<string, Price> = new Map(
  Object.entries(PLANS).flatMap(([plan, amount]) =>
    INTERVALS.map(({ name, interval, months }) => {
      const id = `sandbox_${plan}_${name}`;
      const price: Price = {
        id,
        object: 'price',
        currency: 'usd',
        nickname: `Atrium ${plan.charAt(0).toUpperCase()}${plan.slice(1)}, ${name}`,
        type: 'recurring',
        unit_amount: amount * months,
        recurring: { interval, interval_count: 1 },
      };
      return [id, price];
    }),
  ),
);
