import type Stripe from 'stripe';
import { planPrice, type SandboxPrice } from '../prices.ts';
import { newSandboxId } from '../store.ts';
import type { Interval } from '../../payments.ts';

export interface SubscriptionDraft {
  customer: string;
  priceId: string;
  price: SandboxPrice;
  quantity: number;
  metadata: Stripe.Metadata;
}

export function newSubscription(draft: SubscriptionDraft, now: number): Stripe.Subscription {
  const id = newSandboxId('sub');
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'flexible', updated_at: now },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: cancelledFor(null),
    collection_method: 'charge_automatically',
    created: now,
    currency: 'usd',
    customer: draft.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(`/v1/subscription_items?subscription=${id}`, [newItem(id, draft, now)]),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: draft.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  };
}

function newItem(
  subscription: string,
  { priceId, price, quantity }: SubscriptionDraft,
  now: number,
): Stripe.SubscriptionItem {
  return {
    id: newSandboxId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_start: now,
    current_period_end: nextPeriodEnd(now, now, price.interval),
    current_trial: null,
    discounts: [],
    metadata: {},
    ...pricing(priceId, price),
    quantity,
    subscription,
    tax_rates: [],
  };
}

/** A price, and the plan that older programs still read. */
export function pricing(
  priceId: string,
  price: SandboxPrice,
): Pick<Stripe.SubscriptionItem, 'price' | 'plan'> {
  const wire = planPrice(priceId, price);
  const plan: Stripe.Plan = {
    id: priceId,
    object: 'plan',
    active: true,
    amount: wire.unit_amount,
    amount_decimal: wire.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: wire.created,
    currency: wire.currency,
    interval: wire.recurring?.interval ?? 'month',
    interval_count: 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: wire.nickname,
    product: wire.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
  return { price: wire, plan };
}

export function cancelledFor(
  reason: 'cancellation_requested' | 'payment_failed' | null,
): Stripe.Subscription.CancellationDetails {
  return { comment: null, feedback: null, feedback_option: null, reason };
}

/** The sandbox sells one thing per subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`the subscription ${subscription.id} has no item`);
  return item;
}

export function listOf<T>(url: string, data: T[], hasMore = false): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url };
}

/** Counted from the anchor, so that the 31st comes back after a short month. Times are in seconds. */
export function nextPeriodEnd(anchor: number, end: number, interval: Interval): number {
  const first = new Date(anchor * 1000);
  const last = new Date(end * 1000);
  const passed =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 +
    (last.getUTCMonth() - first.getUTCMonth());
  return addMonths(first, passed + (interval === 'monthly' ? 1 : 12)).getTime() / 1000;
}

function addMonths(from: Date, months: number): Date {
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), days));
  return moved;
}
