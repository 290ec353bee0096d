import type Stripe from 'stripe';
import { newInvoicePayment } from './objects/invoice.ts';
import { takePayment } from './payments.ts';
import { idOf, insertObject, listObjects, saveObject } from './store.ts';
import type { Work } from './work.ts';

const RETRY_AFTER = 3 * 86_400;
export const MOST_ATTEMPTS = 4;

/** One attempt. `at` is when it was due, which is earlier than now when we catch up. */
export async function payInvoice(
  work: Work,
  invoice: Stripe.Invoice,
  status: 'succeeded' | 'failed',
  at = work.now,
): Promise<Stripe.Invoice> {
  if (invoice.amount_due > 0) await chargeInvoice(work, invoice, status);
  const attempt_count = invoice.attempt_count + 1;
  const isLast = attempt_count >= MOST_ATTEMPTS;
  const after: Stripe.Invoice = {
    ...invoice,
    attempt_count,
    attempted: true,
    ...(status === 'succeeded'
      ? {
          amount_paid: invoice.amount_due,
          amount_remaining: 0,
          next_payment_attempt: null,
          status: 'paid',
          status_transitions: { ...invoice.status_transitions, paid_at: work.now },
        }
      : { next_payment_attempt: isLast ? null : at + RETRY_AFTER }),
  };
  await saveObject(work.tx, after);
  return after;
}

async function chargeInvoice(
  work: Work,
  invoice: Stripe.Invoice,
  status: 'succeeded' | 'failed',
): Promise<void> {
  const { tx, now } = work;
  const [known] = await listObjects(tx, 'invoice_payment', { filter: { invoice: invoice.id } });
  const intent = await takePayment(work, {
    intent: known && idOf(known.payment.payment_intent),
    status,
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer === null ? null : idOf(invoice.customer),
    description: invoice.lines.data[0]?.description ?? null,
    metadata: {},
  });
  const payment = known ?? newInvoicePayment(invoice, intent.id, now);
  if (!known) await insertObject(tx, payment);
  if (status === 'failed') return;
  await saveObject(tx, {
    ...payment,
    amount_paid: invoice.amount_due,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: now },
  });
}
