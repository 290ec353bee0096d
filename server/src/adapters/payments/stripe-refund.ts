import type Stripe from 'stripe';
import { idOf, type Ask } from './stripe-state.ts';
import { errorCode } from '../../core/error-code.ts';

/** Each step has its own idempotency key, the same on every attempt. */
export async function cancelAndRefund(
  ask: Ask,
  subscriptionId: string,
  key: string,
): Promise<void> {
  const subscription = await ask((stripe) => stripe.subscriptions.retrieve(subscriptionId));
  if (subscription.status !== 'canceled') {
    const options = { idempotencyKey: `${key}-cancel` };
    await ask((stripe) => stripe.subscriptions.cancel(subscriptionId, {}, options));
  }
  const invoiceId = idOf(subscription.latest_invoice);
  if (invoiceId === null) return;
  const expand = ['payments'];
  const invoice = await ask((stripe) => stripe.invoices.retrieve(invoiceId, { expand }));
  for (const { payment } of invoice.payments?.data ?? []) {
    const intent = idOf(payment.payment_intent);
    if (intent !== null) await ask((stripe) => refund(stripe, intent, `${key}-${intent}`));
  }
}

async function refund(stripe: Stripe, paymentIntent: string, key: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey: key });
  } catch (error) {
    // Someone may have refunded it by hand in the meantime.
    if (errorCode(error) !== 'charge_already_refunded') throw error;
  }
}
