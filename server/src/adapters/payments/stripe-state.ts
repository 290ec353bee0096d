import type Stripe from 'stripe';
import type { PlanPrice, SubscriptionState } from './payments.ts';
import { errorCode } from '../../core/error-code.ts';

/** Calls the provider with a time limit. */
export type Ask = <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>;

export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (errorCode(error) === 'resource_missing') return undefined;
    throw error;
  }
}

export type Reference = string | { id: string } | null | undefined;

export function idOf(reference: Reference): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

const LIVE = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);
const PAID = new Set(['active', 'trialing']);

export function subscriptionState(
  subscription: Stripe.Subscription,
  planOf: ReadonlyMap<string, PlanPrice>,
): SubscriptionState {
  const [item] = subscription.items.data;
  if (!item) throw new Error('the payment provider returned a subscription without items');
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    price: planOf.get(item.price.id),
    isLive: LIVE.has(subscription.status),
    // At a renewal it stays `active` for an hour before the new period's invoice is sent.
    isPaid: PAID.has(subscription.status) && isPaidFor(subscription.latest_invoice),
    periodStart: new Date(item.current_period_start * 1000),
    periodEnd: new Date(item.current_period_end * 1000),
    endsWithPeriod: subscription.cancel_at_period_end,
  };
}

function isPaidFor(invoice: Stripe.Subscription['latest_invoice']): boolean {
  return invoice === null || (typeof invoice === 'object' && invoice.status === 'paid');
}

/** Disputes that were won, or closed as a warning: the money is not lost. */
const RETURNED = new Set([
  'won',
  'warning_closed',
  'warning_needs_response',
  'warning_under_review',
  'prevented',
]);

/** A dispute covers what was not refunded before, so the sum of both is lost. */
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
