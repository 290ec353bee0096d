import type { PaidPlan } from '../../adapters/payments/payments.ts';

export type Plan = 'free' | PaidPlan;

/** Credits a month that come with a plan; what is left of them lapses at renewal. */
export const INCLUDED_CREDITS: Record<Plan, number> = {
  free: 200,
  pro: 2_000,
  team: 10_000,
  enterprise: 50_000,
};

export const PACKS = { small: 500, medium: 2_500, large: 10_000 } as const;

/** A span for which a plan's credits are granted once. */
export interface GrantPeriod {
  source: string;
  credits: number;
  end: Date;
}

interface Paying {
  plan: Plan;
  /** False for an org whose creator had created one before. */
  hasFreeCredits: boolean;
  subscriptionId: string | null;
  isPaid: boolean;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/**
 * The grant that an org should have now. A free org's month is the calendar's; a paying one's counts
 * from its billing period, so that a year is twelve grants. Undefined while a payment is owed.
 */
export function currentGrant(account: Paying, now: Date): GrantPeriod | undefined {
  const { plan, hasFreeCredits, subscriptionId, isPaid, periodStart, periodEnd } = account;
  if (plan === 'free' || subscriptionId === null || !periodStart || !periodEnd) {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const source = `included:free:${start.toISOString().slice(0, 7)}`;
    // A grant of nothing still ends the one before, such as that of a plan which was cancelled.
    const credits = hasFreeCredits ? INCLUDED_CREDITS.free : 0;
    return { source, credits, end: addMonths(start, 1) };
  }
  if (!isPaid) return undefined;
  // Counted by length: from the last day of February to that of March is one month, not one and a rest.
  const months = Math.max(1, Math.round((periodEnd.getTime() - periodStart.getTime()) / MONTH_MS));
  let month = 0;
  // A period that is over and not renewed yet is still the newest that was paid for.
  while (month + 1 < months && addMonths(periodStart, month + 1) <= now) month++;
  return {
    source: `included:${subscriptionId}:${addMonths(periodStart, month).toISOString()}:${plan}`,
    credits: INCLUDED_CREDITS[plan],
    end: month + 1 < months ? addMonths(periodStart, month + 1) : periodEnd,
  };
}

const MONTH_MS = (365.25 / 12) * 24 * 60 * 60 * 1000;

/** The same day some months on, or the last day of a shorter month. */
function addMonths(from: Date, months: number): Date {
  const day = from.getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, last));
  return moved;
}
