import type { Credits, LedgerEntry, PlanOffer } from '@atrium/sdk';

export type Plan = Credits['plan'];
export type Interval = 'monthly' | 'annual';
export type Pack = 'small' | 'medium' | 'large';

/** Credits per month. The payment provider sets the price. */
export const PLANS: Record<Plan, { name: string; credits: number; isFor: string }> = {
  free: { name: 'Free', credits: 200, isFor: 'For trying it out.' },
  pro: { name: 'Pro', credits: 2_000, isFor: 'For one person or a few.' },
  team: { name: 'Team', credits: 10_000, isFor: 'For a team that asks every day.' },
  enterprise: { name: 'Enterprise', credits: 50_000, isFor: 'For many teams in one organisation.' },
};

/** In credits. */
export const PACKS: Record<Pack, number> = { small: 500, medium: 2_500, large: 10_000 };

export const FEWEST_CREDITS = 100;
export const MOST_CREDITS = 250_000;

const DOLLARS = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });

/** A purchased credit costs 0.01 USD. */
export function priceOf(credits: number): string {
  return DOLLARS.format(credits / 100);
}

/** What a plan costs, as its provider has it: "$19.00 a month". */
export function priceInWords(offers: readonly PlanOffer[], plan: Plan, interval: Interval): string {
  if (plan === 'free') return 'Free';
  const prices = offers.find((offer) => offer.plan === plan)?.prices;
  const price = prices?.find((each) => each.interval === interval);
  if (!price) return 'Price on the payment page';
  const { amount, currency } = price;
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return `${format.format(amount / 10 ** digits)} a ${interval === 'monthly' ? 'month' : 'year'}`;
}

export function count(credits: number): string {
  return credits.toLocaleString();
}

const KINDS: Record<LedgerEntry['kind'], string> = {
  GRANT: 'Plan credits',
  TOPUP: 'Top-up',
  USAGE: 'Used',
  LAPSE: 'Expired',
  REFUND: 'Refund',
};

export function kindInWords({ kind, credits }: LedgerEntry): string {
  return kind === 'REFUND' && credits > 0 ? 'Returned' : KINDS[kind];
}

/** A source is a stable code for programs. People get what it stands for. */
export function sourceInWords({ kind, credits, source }: LedgerEntry): string {
  const words: Record<LedgerEntry['kind'], string> = {
    GRANT: `Monthly credits of the ${planOf(source)} plan`,
    LAPSE: `Unused credits of the ${planOf(source)} plan`,
    TOPUP: 'Payment for credits',
    USAGE: 'Agent’s answer',
    REFUND: credits > 0 ? 'Dispute won' : 'Payment refunded or disputed',
  };
  return words[kind];
}

/** `included:free:2026-05`, or `included:<subscription>:<start>:pro`. */
function planOf(source: string): string {
  const plans = Object.keys(PLANS) as Plan[];
  const plan = plans.find((name) => source.split(':').includes(name));
  return plan ? PLANS[plan].name : 'paid';
}
