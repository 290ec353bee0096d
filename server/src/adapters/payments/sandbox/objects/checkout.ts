import type Stripe from 'stripe';
import { newSandboxId } from '../store.ts';
import { listOf } from './subscription.ts';

/** With what is kept until there is a payment or a subscription to carry it; nobody is shown it. */
export type StoredCheckout = Stripe.Checkout.Session & { bought_metadata: Stripe.Metadata };

export interface CheckoutDraft {
  mode: 'payment' | 'subscription';
  lines: Stripe.LineItem[];
  currency: string;
  customer: string | null;
  customerEmail: string | null;
  clientReferenceId: string | null;
  metadata: Stripe.Metadata;
  boughtMetadata: Stripe.Metadata;
  successUrl: string;
  cancelUrl: string | null;
  expiresAt: number;
}

export function newCheckout(draft: CheckoutDraft, publicUrl: string, now: number): StoredCheckout {
  const id = newSandboxId('cs_test');
  const total = draft.lines.reduce((sum, line) => sum + line.amount_total, 0);
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    bought_metadata: draft.boughtMetadata,
    cancel_url: draft.cancelUrl,
    client_reference_id: draft.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: draft.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: draft.customer,
    customer_account: null,
    customer_creation: draft.mode === 'payment' && draft.customer === null ? 'if_required' : null,
    customer_details: null,
    customer_email: draft.customerEmail,
    discounts: [],
    expires_at: draft.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    line_items: listOf(`/v1/checkout/sessions/${id}/line_items`, draft.lines),
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: draft.metadata,
    mode: draft.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: draft.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: draft.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${publicUrl}/sandbox/checkout/${id}`,
    wallet_options: null,
  };
}

export function newLineItem(
  price: Stripe.Price,
  description: string,
  quantity: number,
): Stripe.LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: newSandboxId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description,
    metadata: {},
    price,
    quantity,
  };
}

/** How long a portal's address is good for. */
export const PORTAL_SECONDS = 3_600;

export function newPortal(
  customer: string,
  returnUrl: string | null,
  publicUrl: string,
  now: number,
): Stripe.BillingPortal.Session {
  const id = newSandboxId('bps');
  return {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: now,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${publicUrl}/sandbox/portal/${id}`,
  };
}
