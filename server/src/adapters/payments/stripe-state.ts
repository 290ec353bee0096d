import type Stripe from 'stripe';
import type { PlanPrice, SubscriptionState } from './payments.ts';

/** Calls the provider, within a limit. */
export type Ask = <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>;

export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === 'resource_missing') return undefined;
    throw error;
  }
}

/** Of an error that the provider answered with. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : reference;
}

const LIVE = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);
const PAID = new Set(['active', 'trialing']);

export function subscriptionState(
  subscription: Stripe.Subscription,
  planOf: ReadonlyMap<string, PlanPrice>,
): SubscriptionState {
  const [item] = subscription.items.data;
  if (!item) throw new Error('the provider knows a subscription to nothing');
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    price: planOf.get(item.price.id),
    isLive: LIVE.has(subscription.status),
    // At a renewal it is `active` for an hour before the new period's invoice is even sent.
    isPaid: PAID.has(subscription.status) && isPaidFor(subscription.latest_invoice),
    periodStart: new Date(item.current_period_start * 1000),
    periodEnd: new Date(item.current_period_end * 1000),
    endsWithPeriod: subscription.cancel_at_period_end,
  };
}

function isPaidFor(invoice: Stripe.Subscription['latest_invoice']): boolean {
  return invoice === null || (typeof invoice === 'object' && invoice.status === 'paid');
}

/** Won, or closed before it became one: the money is ours again. */
const RETURNED = new Set([
  'won',
  'warning_closed',
  'warning_needs_response',
  'warning_under_review',
  'prevented',
]);

/** A dispute is of what was not refunded before, so both together are what is gone. */
export async function shareLostOf(
  ask: Ask,
  payment: Stripe.Checkout.Session['payment_intent'],
): Promise<number> {
  const charge = typeof payment === 'object' ? payment?.latest_charge : undefined;
  if (charge == null || typeof charge !== 'object' || charge.amount === 0) return 0;
  const disputes = charge.disputed
    ? (await ask((stripe) => stripe.disputes.list({ charge: charge.id, limit: 100 }))).data
    : [];
  const held = disputes
    .filter(({ status }) => !RETURNED.has(status))
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.min(1, (charge.amount_refunded + held) / charge.amount);
}
