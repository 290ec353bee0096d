import type Stripe from 'stripe';
import { newSandboxId } from '../store.ts';

/** What the sandbox's one card is called. */
export const CARD = 'pm_sandbox_card';
export const DECLINED = 'Your card was declined.';

export interface PaymentDraft {
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Stripe.Metadata;
}

export function newPaymentIntent(draft: PaymentDraft, now: number): Stripe.PaymentIntent {
  const id = newSandboxId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: draft.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_sandbox`,
    confirmation_method: 'automatic',
    created: now,
    currency: draft.currency,
    customer: draft.customer,
    customer_account: null,
    description: draft.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: draft.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

export type ChargeStatus = 'succeeded' | 'pending' | 'failed';

export function newCharge(
  intent: Stripe.PaymentIntent,
  status: ChargeStatus,
  now: number,
): Stripe.Charge {
  const isPaid = status === 'succeeded';
  const hasFailed = status === 'failed';
  return {
    id: newSandboxId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: hasFailed ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: hasFailed ? null : newSandboxId('txn'),
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SANDBOX',
    captured: !hasFailed,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: hasFailed ? 'card_declined' : null,
    failure_message: hasFailed ? DECLINED : null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: CARD,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
}

export interface RefundDraft {
  amount: number;
  reason: string | undefined;
  metadata: Stripe.Metadata;
}

export function newRefund(charge: Stripe.Charge, draft: RefundDraft, now: number): Stripe.Refund {
  return {
    id: newSandboxId('re'),
    object: 'refund',
    amount: draft.amount,
    balance_transaction: newSandboxId('txn'),
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: draft.metadata,
    payment_intent: charge.payment_intent,
    payment_method: CARD,
    reason: draft.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}

const EVIDENCE_SECONDS = 7 * 86_400;

export function newDispute(charge: Stripe.Charge, now: number): Stripe.Dispute {
  return {
    id: newSandboxId('dp'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    // Dozens of fields that nobody fills in here.
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: now + EVIDENCE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  };
}
