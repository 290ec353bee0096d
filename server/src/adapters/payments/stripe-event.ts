import type Stripe from 'stripe';
import { WrongSignature, type PaymentEvent } from './payments.ts';
import { idOf, type Reference } from './stripe-state.ts';

const TOLERANCE_SECONDS = 300;

const CHECKOUTS = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
const INVOICES = ['invoice.paid', 'invoice.payment_failed'];
const SUBSCRIPTIONS = ['customer.subscription.updated', 'customer.subscription.deleted'];
const CHARGES = ['charge.refunded'];
const DISPUTES = ['charge.dispute.created', 'charge.dispute.closed'];
const PAYMENTS = [...CHARGES, ...DISPUTES];
const HANDLED = new Set([...CHECKOUTS, ...INVOICES, ...SUBSCRIPTIONS, ...PAYMENTS]);

/** Accepts only events signed within five minutes. The SDK alone would accept times in the future. */
export function readStripeEvent(
  stripe: Stripe,
  body: Buffer,
  signature: string | undefined,
  secret: string | undefined,
): PaymentEvent | undefined {
  if (secret === undefined)
    throw new WrongSignature('cannot be checked: this server has no webhook secret');
  if (signature === undefined) throw new WrongSignature('is missing');
  const event = verify(stripe, body, signature, secret);
  const [signedAt, ...others] = [...signature.matchAll(/(?:^|,)\s*t=([^,]*)/g)].map(([, t]) => t);
  const isNear = Math.abs(Date.now() / 1000 - Number(signedAt)) <= TOLERANCE_SECONDS;
  if (!isNear || others.length > 0) {
    throw new WrongSignature('is too old or in the future');
  }
  if (!HANDLED.has(event.type)) return undefined;
  const objectId = objectIdOf(event);
  return objectId == null ? undefined : { id: event.id, type: event.type, objectId };
}

function verify(stripe: Stripe, body: Buffer, signature: string, secret: string): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
  } catch {
    // The SDK's message quotes the body.
    throw new WrongSignature('does not match the body, or is too old');
  }
}

/** For an invoice, its subscription. For a charge or a dispute, its payment. */
function objectIdOf(event: Stripe.Event): string | null | undefined {
  const object = event.data.object as { id?: string };
  if (PAYMENTS.includes(event.type)) {
    return idOf((object as { payment_intent?: Reference }).payment_intent);
  }
  if (!INVOICES.includes(event.type)) return object.id;
  const { parent, subscription } = object as { parent?: Parent; subscription?: Reference };
  // API versions before 2025-03-31 have it in `subscription`.
  return idOf(parent?.subscription_details?.subscription ?? subscription);
}

type Parent = Stripe.Invoice['parent'];
