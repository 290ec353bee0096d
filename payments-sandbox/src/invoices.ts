import { emitEvent } from './events.ts';
import type { Work } from './host.ts';
import { listOf, newId, type Invoice, type Subscription } from './objects.ts';
import { takePayment } from './payments.ts';
import { insertObject, saveObject } from './store.ts';

const RETRY_AFTER = 3 * 86_400;
const MAX_ATTEMPTS = 4;

export interface Bill {
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  amount: number;
  isDeclined?: boolean;
  /** When the payment was due. That is in the past when the sandbox catches up. */
  at?: number;
}

/** Makes an invoice and tries to collect it. */
export async function billSubscription(
  work: Work,
  { id: subscription, customer }: Subscription,
  { reason, amount, isDeclined = false, at }: Bill,
): Promise<Invoice> {
  const id = newId('in');
  const invoice: Invoice = {
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: 0,
    attempt_count: 0,
    billing_reason: reason,
    created: work.now,
    currency: 'usd',
    customer,
    livemode: false,
    next_payment_attempt: null,
    parent: { type: 'subscription_details', subscription_details: { subscription } },
    payments: listOf(`/v1/invoice_payments?invoice=${id}`, []),
    status: 'open',
  };
  await insertObject(work.tx, invoice);
  return collect(work, invoice, isDeclined, at);
}

/** One attempt. After the last one the invoice is uncollectible. */
export async function collect(
  work: Work,
  invoice: Invoice,
  isDeclined: boolean,
  at = work.now,
): Promise<Invoice> {
  const attempt_count = invoice.attempt_count + 1;
  const after: Invoice = {
    ...invoice,
    attempt_count,
    ...(isDeclined ? declined(attempt_count, at) : await paid(work, invoice)),
  };
  await saveObject(work.tx, after);
  await emitEvent(work, isDeclined ? 'invoice.payment_failed' : 'invoice.paid', after);
  return after;
}

function declined(attempts: number, at: number): Partial<Invoice> {
  return attempts < MAX_ATTEMPTS
    ? { next_payment_attempt: at + RETRY_AFTER }
    : { next_payment_attempt: null, status: 'uncollectible' };
}

async function paid(work: Work, invoice: Invoice): Promise<Partial<Invoice>> {
  const { amount_due: amount, customer, payments } = invoice;
  const intent = await takePayment(work, { amount, customer, description: 'Atrium plan' });
  const payment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: amount,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'paid',
  } as const;
  return {
    amount_paid: amount,
    next_payment_attempt: null,
    payments: { ...payments, data: [payment] },
    status: 'paid',
  };
}
