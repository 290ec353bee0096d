import type { Credits, LedgerEntry } from '@atrium/sdk';

export type Plan = Credits['plan'];
export type Interval = 'monthly' | 'annual';
export type Pack = 'small' | 'medium' | 'large';

/** Credits a month. What a plan costs is set at the payment provider, and shown on its page. */
export const PLANS: Record<Plan, { name: string; credits: number; isFor: string }> = {
  free: { name: 'Free', credits: 200, isFor: 'To look around.' },
  pro: { name: 'Pro', credits: 2_000, isFor: 'For one person, or a few.' },
  team: { name: 'Team', credits: 10_000, isFor: 'For a team that asks every day.' },
  enterprise: { name: 'Enterprise', credits: 50_000, isFor: 'For many teams in one org.' },
};

export const PACKS: Record<Pack, { name: string; credits: number }> = {
  small: { name: 'Small', credits: 500 },
  medium: { name: 'Medium', credits: 2_500 },
  large: { name: 'Large', credits: 10_000 },
};

export const FEWEST_CREDITS = 100;
export const MOST_CREDITS = 250_000;

const DOLLARS = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });

/** A bought credit is 0.01 USD. */
export function priceOf(credits: number): string {
  return DOLLARS.format(credits / 100);
}

export function count(credits: number): string {
  return credits.toLocaleString();
}

const KINDS: Record<LedgerEntry['kind'], string> = {
  GRANT: 'Plan credits',
  TOPUP: 'Top-up',
  USAGE: 'Used',
  LAPSE: 'Lapsed',
  REFUND: 'Refund',
};

export function kindInWords({ kind, credits }: LedgerEntry): string {
  return kind === 'REFUND' && credits > 0 ? 'Given back' : KINDS[kind];
}

/** A source is a stable word for programs; people read what it stands for. */
export function sourceInWords({ kind, credits, source }: LedgerEntry): string {
  const words: Record<LedgerEntry['kind'], string> = {
    GRANT: `Credits of the ${planOf(source)} plan for a month`,
    LAPSE: `What was left of the ${planOf(source)} plan’s month`,
    TOPUP: 'A payment for credits',
    USAGE: 'An agent’s answer',
    REFUND: credits > 0 ? 'A dispute was won' : 'A payment was refunded or disputed',
  };
  return words[kind];
}

/** `included:free:2026-05`, or `included:<subscription>:<start>:pro`. */
function planOf(source: string): string {
  const plans = Object.keys(PLANS) as Plan[];
  const plan = plans.find((name) => source.split(':').includes(name));
  return plan ? PLANS[plan].name : 'paid';
}
