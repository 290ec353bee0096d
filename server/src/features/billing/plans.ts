import type { PaidPlan } from '../../adapters/payments/payments.ts';

export type Plan = 'free' | PaidPlan;

/** A plan's monthly credits. Unused ones expire at renewal. */
export const INCLUDED_CREDITS: Record<Plan, number> = {
  free: 200,
  pro: 2_000,
  team: 10_000,
  enterprise: 50_000,
};

export const PACKS = { small: 500, medium: 2_500, large: 10_000 } as const;

/** A period for which a plan's credits are granted once. */
export interface GrantPeriod {
  source: string;
  credits: number;
  end: Date;
}

interface GrantAccount {
  plan: Plan;
  /** False if the org's creator had created another org before. */
  hasFreeCredits: boolean;
  subscriptionId: string | null;
  isPaid: boolean;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/**
 * The grant an org should have now. A free org's months are calendar months. A paying org's months count
 * from its billing period, so a year has twelve grants. Undefined while a payment is due.
 */
export function currentGrant(account: GrantAccount, now: Date): GrantPeriod | undefined {
  const { plan, hasFreeCredits, subscriptionId, isPaid, periodStart, periodEnd } = account;
  if (plan === 'free' || subscriptionId === null || !periodStart || !periodEnd) {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const source = `included:free:${start.toISOString().slice(0, 7)}`;
    // A grant of 0 still ends the previous one, such as that of a cancelled plan.
    const credits = hasFreeCredits ? INCLUDED_CREDITS.free : 0;
    return { source, credits, end: addMonths(start, 1) };
  }
  if (!isPaid) return undefined;
  // By length: from the last day of February to the last day of March is one month.
  const months = Math.max(1, Math.round((periodEnd.getTime() - periodStart.getTime()) / MONTH_MS));
  let month = 0;
  // A period that is over but not renewed yet is still the latest one paid for.
  while (month + 1 < months && addMonths(periodStart, month + 1) <= now) month++;
  return {
    source: `included:${subscriptionId}:${addMonths(periodStart, month).toISOString()}:${plan}`,
    credits: INCLUDED_CREDITS[plan],
    end: month + 1 < months ? addMonths(periodStart, month + 1) : periodEnd,
  };
}

const MONTH_MS = (365.25 / 12) * 24 * 60 * 60 * 1000;

/** The same day some months later, or the last day of a shorter month. */
function addMonths(from: Date, months: number): Date {
  const day = from.getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, last));
  return moved;
}
