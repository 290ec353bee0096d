import type Stripe from 'stripe';
import { INTERVALS, PAID_PLANS, type Interval, type PaidPlan } from '../payments.ts';

export interface SandboxPrice {
  plan: PaidPlan;
  interval: Interval;
  /** In cents. */
  amount: number;
}

const MONTHLY: Record<PaidPlan, number> = { pro: 1_900, team: 8_900, enterprise: 39_900 };
/** A year costs as much as ten months. */
const MONTHS_PAID: Record<Interval, number> = { monthly: 1, annual: 10 };

/** By price id: `sandbox_<plan>_<interval>`. */
export const SANDBOX_PRICES: Readonly<Record<string, SandboxPrice>> = Object.fromEntries(
  PAID_PLANS.flatMap((plan) =>
    INTERVALS.map((interval) => [
      `sandbox_${plan}_${interval}`,
      { plan, interval, amount: MONTHLY[plan] * MONTHS_PAID[interval] },
    ]),
  ),
);

export function findPrice(id: string): SandboxPrice | undefined {
  return Object.hasOwn(SANDBOX_PRICES, id) ? SANDBOX_PRICES[id] : undefined;
}

export function priceTitle({ plan, interval }: SandboxPrice): string {
  return `Atrium ${plan.charAt(0).toUpperCase()}${plan.slice(1)}, ${interval}`;
}

/** As the API shows it. Amounts with decimals are strings on the wire. */
export function planPrice(id: string, price: SandboxPrice): Stripe.Price {
  return wirePrice({
    id,
    product: `prod_sandbox_${price.plan}`,
    nickname: priceTitle(price),
    type: 'recurring',
    unit_amount: price.amount,
    currency: 'usd',
    created: 0,
    recurring: {
      interval: price.interval === 'monthly' ? 'month' : 'year',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
  });
}

type PriceDraft = Pick<Stripe.Price, 'id' | 'product' | 'nickname' | 'type' | 'recurring'> &
  Pick<Stripe.Price, 'currency' | 'created'> & { unit_amount: number };

export function wirePrice(draft: PriceDraft): Stripe.Price {
  return {
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    unit_amount_decimal: asDecimal(draft.unit_amount),
    ...draft,
  };
}

/** The type is of the SDK's newer surface; on this one the wire's string comes through as it is. */
export function asDecimal(amount: number): Stripe.Price['unit_amount_decimal'] {
  return String(amount) as unknown as Stripe.Price['unit_amount_decimal'];
}
