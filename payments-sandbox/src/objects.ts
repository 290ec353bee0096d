/**
 * What is kept, in the fields of Stripe's API that Atrium reads. A reference to another object is its id;
 * the API replaces it with the object if the caller asks for that (`expand`).
 */
import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

type Common = 'id' | 'object' | 'created' | 'livemode';

export type Customer = Pick<Stripe.Customer, Common | 'email' | 'metadata'> & {
  name: string | null;
};

export type Price = Pick<Stripe.Price, 'id' | 'object' | 'currency' | 'nickname' | 'type'> & {
  unit_amount: number;
  recurring: { interval: 'month' | 'year'; interval_count: 1 } | null;
};

export type LineItem = Pick<Stripe.LineItem, 'id' | 'object' | 'amount_total' | 'currency'> & {
  description: string;
  price: Price;
  quantity: 1;
};

export type Checkout = Pick<Stripe.Checkout.Session, Common | 'payment_status' | 'metadata'> &
  Pick<Stripe.Checkout.Session, 'cancel_url' | 'client_reference_id' | 'expires_at' | 'url'> & {
    amount_total: number;
    currency: string;
    customer: string | null;
    invoice: string | null;
    line_items: List<LineItem>;
    mode: 'payment' | 'subscription';
    payment_intent: string | null;
    status: 'open' | 'complete' | 'expired';
    subscription: string | null;
    success_url: string;
  };

export type Portal = Pick<Stripe.BillingPortal.Session, Common | 'return_url' | 'url'> & {
  customer: string;
};

export type SubscriptionItem = Pick<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'current_period_start' | 'current_period_end'
> & { price: Price };

export type Subscription = Pick<Stripe.Subscription, Common | 'ended_at'> &
  Pick<Stripe.Subscription, 'billing_cycle_anchor' | 'cancel_at_period_end'> & {
    customer: string;
    items: List<SubscriptionItem>;
    latest_invoice: string | null;
    status: 'active' | 'past_due' | 'canceled';
    /** When an unpaid invoice is tried again. */
    retry_at: number | null;
    /** Set on the portal page: the next payment fails. */
    declines_next: boolean;
  };

export type Invoice = Pick<Stripe.Invoice, Common | 'amount_due' | 'amount_paid' | 'currency'> &
  Pick<Stripe.Invoice, 'attempt_count' | 'billing_reason' | 'next_payment_attempt'> & {
    customer: string;
    parent: { type: 'subscription_details'; subscription_details: { subscription: string } };
    payments: List<InvoicePayment>;
    status: 'open' | 'paid' | 'uncollectible';
  };

export type InvoicePayment = Pick<Stripe.InvoicePayment, 'id' | 'object' | 'amount_paid'> & {
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'paid';
};

export type PaymentIntent = Pick<Stripe.PaymentIntent, Common | 'amount' | 'currency'> & {
  amount_received: number;
  customer: string | null;
  latest_charge: string;
  status: 'processing' | 'succeeded';
};

export type Charge = Pick<Stripe.Charge, Common | 'amount' | 'amount_refunded' | 'currency'> &
  Pick<Stripe.Charge, 'description' | 'disputed' | 'paid' | 'refunded' | 'status'> & {
    customer: string | null;
    payment_intent: string;
  };

export type Dispute = Pick<Stripe.Dispute, Common | 'amount' | 'currency' | 'status'> & {
  charge: string;
  payment_intent: string;
};

export type Event = Pick<Stripe.Event, Common | 'api_version' | 'type'> & {
  data: { object: object };
};

/** The response to a POST, kept for a caller who repeats it with the same key. */
export interface KeptResponse {
  id: string;
  object: 'sandbox.answer';
  request: string;
  /** Null only while the first request is running. */
  answer: object | null;
}

export interface Setting {
  id: string;
  object: 'sandbox.setting';
  value: string;
}

/** By their `object` field. */
export interface SandboxObjects {
  customer: Customer;
  'checkout.session': Checkout;
  'billing_portal.session': Portal;
  subscription: Subscription;
  invoice: Invoice;
  payment_intent: PaymentIntent;
  charge: Charge;
  dispute: Dispute;
  event: Event;
  'sandbox.answer': KeptResponse;
  'sandbox.setting': Setting;
}
export type ObjectType = keyof SandboxObjects;
export type SandboxObject = SandboxObjects[ObjectType];

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export function listOf<T>(url: string, data: T[], hasMore = false): List<T> {
  return { object: 'list', data, has_more: hasMore, url };
}

const HIDDEN = new Set(['line_items', 'payments', 'retry_at', 'declines_next']);

/** Without the sandbox's own fields, and without those that Stripe shows only to callers who ask for them. */
export function withoutHidden(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !HIDDEN.has(key)));
}

/** The id of a page is longer, because it is the page's only credential. */
export function newId(prefix: string): string {
  const bytes = prefix === 'cs_test' || prefix === 'bps' ? 32 : 12;
  return `${prefix}_${randomBytes(bytes).toString('hex')}`;
}
