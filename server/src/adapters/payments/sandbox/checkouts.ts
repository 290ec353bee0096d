import type Stripe from 'stripe';
import { emitEvent } from './events.ts';
import { refused } from './failure.ts';
import type { StoredCheckout } from './objects/checkout.ts';
import { newCustomer } from './objects/customer.ts';
import type { ChargeStatus } from './objects/payment.ts';
import { settlePayment, takePayment } from './payments.ts';
import { findPrice } from './prices.ts';
import { idOf, insertObject, lockObject, saveObject } from './store.ts';
import { startSubscription } from './subscriptions.ts';
import type { Work } from './work.ts';

/** How long a bank debit takes here. */
const SETTLE_AFTER = 60;

/** Undefined when it was not open any more: it is paid once, however many ask at the same time. */
export async function payCheckout(
  work: Work,
  checkoutId: string,
  status: ChargeStatus,
): Promise<StoredCheckout | undefined> {
  const checkout = await lockObject(work.tx, 'checkout.session', checkoutId);
  if (checkout.status !== 'open') return undefined;
  if (checkout.expires_at <= work.now) {
    await expireCheckout(work, checkout);
    return undefined;
  }
  if (status === 'failed') return declineCheckout(work, checkout);
  return checkout.mode === 'subscription'
    ? completeSubscription(work, checkout)
    : completePayment(work, checkout, status);
}

/** It stays open: the customer may try another card. */
async function declineCheckout(work: Work, checkout: StoredCheckout): Promise<StoredCheckout> {
  const intent = await takePayment(work, { ...paymentOf(checkout), status: 'failed' });
  if (checkout.mode === 'subscription') return checkout;
  const after = { ...checkout, payment_intent: intent.id };
  await saveObject(work.tx, after, after.expires_at);
  return after;
}

async function completePayment(
  work: Work,
  checkout: StoredCheckout,
  status: 'succeeded' | 'pending',
): Promise<StoredCheckout> {
  const intent = await takePayment(work, { ...paymentOf(checkout), status });
  const isPaid = status === 'succeeded';
  return complete(
    work,
    checkout,
    { payment_intent: intent.id, payment_status: isPaid ? 'paid' : 'unpaid' },
    isPaid ? null : work.now + SETTLE_AFTER,
  );
}

async function completeSubscription(work: Work, checkout: StoredCheckout): Promise<StoredCheckout> {
  const [line] = checkout.line_items?.data ?? [];
  const priceId = line?.price?.id ?? '';
  const price = findPrice(priceId);
  if (!price) throw new Error(`the checkout ${checkout.id} is for no price that is known`);
  const customer = await customerOf(work, checkout);
  const { subscription, invoice } = await startSubscription(work, {
    customer,
    priceId,
    price,
    quantity: line?.quantity ?? 1,
    metadata: checkout.bought_metadata,
  });
  return complete(work, checkout, {
    customer,
    subscription: subscription.id,
    invoice: invoice.id,
    payment_status: 'paid',
  });
}

async function complete(
  work: Work,
  checkout: StoredCheckout,
  paid: Partial<Stripe.Checkout.Session>,
  settleAt: number | null = null,
): Promise<StoredCheckout> {
  const after: StoredCheckout = { ...checkout, ...paid, status: 'complete', url: null };
  await saveObject(work.tx, after, settleAt);
  await emitEvent(work, 'checkout.session.completed', after);
  return after;
}

async function customerOf(work: Work, checkout: StoredCheckout): Promise<string> {
  if (checkout.customer !== null) return idOf(checkout.customer);
  const customer = newCustomer({ email: checkout.customer_email ?? undefined }, work.now);
  await insertObject(work.tx, customer);
  return customer.id;
}

function paymentOf(checkout: StoredCheckout) {
  return {
    intent: checkout.payment_intent === null ? undefined : idOf(checkout.payment_intent),
    amount: checkout.amount_total ?? 0,
    currency: checkout.currency ?? 'usd',
    customer: checkout.customer === null ? null : idOf(checkout.customer),
    description: checkout.line_items?.data[0]?.description ?? null,
    metadata: checkout.bought_metadata,
  };
}

/** The money of a delayed payment has arrived. The row must be locked. */
export async function settleCheckout(work: Work, checkout: StoredCheckout): Promise<void> {
  if (checkout.status !== 'complete' || checkout.payment_status !== 'unpaid') {
    throw refused('No money is on its way for this checkout.');
  }
  await settlePayment(work, idOf(checkout.payment_intent));
  const after: StoredCheckout = { ...checkout, payment_status: 'paid' };
  await saveObject(work.tx, after);
  await emitEvent(work, 'checkout.session.async_payment_succeeded', after);
}

/** The row must be locked. */
export async function expireCheckout(
  work: Work,
  checkout: StoredCheckout,
): Promise<StoredCheckout> {
  if (checkout.status !== 'open') {
    throw refused(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${checkout.status}\`.`,
    );
  }
  const after: StoredCheckout = { ...checkout, status: 'expired', url: null };
  await saveObject(work.tx, after);
  await emitEvent(work, 'checkout.session.expired', after);
  return after;
}
