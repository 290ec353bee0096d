import type Stripe from 'stripe';
import { WrongSignature, type PaymentEvent } from './payments.ts';

const TOLERANCE_SECONDS = 300;

const CHECKOUTS = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
const INVOICES = ['invoice.paid', 'invoice.payment_failed'];
const SUBSCRIPTIONS = ['customer.subscription.updated', 'customer.subscription.deleted'];
const CHARGES = ['charge.refunded'];
const DISPUTES = ['charge.dispute.created', 'charge.dispute.closed'];
const PAYMENTS = [...CHARGES, ...DISPUTES];
const HANDLED = new Set([...CHECKOUTS, ...INVOICES, ...SUBSCRIPTIONS, ...PAYMENTS]);

/** Only what the provider signed, byte for byte and just now; the SDK itself would accept the future. */
export function readStripeEvent(
  stripe: Stripe,
  body: Buffer,
  signature: string | undefined,
  secret: string | undefined,
): PaymentEvent | undefined {
  if (secret === undefined) throw new WrongSignature('this server has no webhook secret');
  if (signature === undefined) throw new WrongSignature('the header Stripe-Signature is missing');
  const event = verify(stripe, body, signature, secret);
  const [signedAt, ...others] = [...signature.matchAll(/(?:^|,)\s*t=([^,]*)/g)].map(([, t]) => t);
  const isNear = Math.abs(Date.now() / 1000 - Number(signedAt)) <= TOLERANCE_SECONDS;
  if (!isNear || others.length > 0) {
    throw new WrongSignature('it was signed too long ago, or in the future');
  }
  if (!HANDLED.has(event.type)) return undefined;
  const objectId = objectIdOf(event);
  return objectId === undefined ? undefined : { id: event.id, type: event.type, objectId };
}

function verify(stripe: Stripe, body: Buffer, signature: string, secret: string): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
  } catch {
    // The SDK's message quotes the body.
    throw new WrongSignature('the signature does not fit this body, or is too old');
  }
}

/** For an invoice, its subscription; for a charge or a dispute, its payment. Others do not concern us. */
function objectIdOf(event: Stripe.Event): string | undefined {
  const object = event.data.object as { id?: string };
  if (PAYMENTS.includes(event.type)) {
    return idOf((object as { payment_intent?: Reference }).payment_intent);
  }
  if (!INVOICES.includes(event.type)) return object.id;
  const { parent, subscription } = object as { parent?: Parent; subscription?: Reference };
  // Where it stands in events of API versions before 2025-03-31.
  return idOf(parent?.subscription_details?.subscription ?? subscription);
}

type Parent = Stripe.Invoice['parent'];
type Reference = string | { id: string } | null | undefined;

function idOf(reference: Reference): string | undefined {
  return typeof reference === 'object' ? reference?.id : reference;
}
