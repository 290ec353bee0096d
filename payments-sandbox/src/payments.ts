import { emitEvent } from './events.ts';
import { refused } from './failure.ts';
import type { Work } from './host.ts';
import { newId, type Charge, type PaymentIntent } from './objects.ts';
import { getObject, insertObject, lockObject, saveObject } from './store.ts';

export interface PaymentDraft {
  amount: number;
  customer: string | null;
  description: string;
}

/** Takes the money at once: the sandbox's card always works. */
export async function takePayment(
  { tx, now }: Work,
  { amount, customer, description }: PaymentDraft,
): Promise<PaymentIntent> {
  const common = { amount, created: now, currency: 'usd', customer, livemode: false };
  const intentId = newId('pi');
  const charge: Charge = {
    ...common,
    id: newId('ch'),
    object: 'charge',
    amount_refunded: 0,
    description,
    disputed: false,
    paid: true,
    payment_intent: intentId,
    refunded: false,
    status: 'succeeded',
  };
  const intent: PaymentIntent = {
    ...common,
    id: intentId,
    object: 'payment_intent',
    amount_received: amount,
    latest_charge: charge.id,
    status: 'succeeded',
  };
  await insertObject(tx, charge);
  await insertObject(tx, intent);
  return intent;
}

/** Default: everything that has not been refunded yet. */
export async function refundPayment(
  work: Work,
  paymentIntent: string,
  requested?: number,
): Promise<object> {
  const { tx } = work;
  const intent = await getObject(tx, 'payment_intent', paymentIntent, 'payment_intent');
  const charge = await lockObject(tx, 'charge', intent.latest_charge);
  const left = charge.amount - charge.amount_refunded;
  const amount = requested ?? left;
  if (charge.disputed) throw refused('This charge is disputed.', 'charge_disputed');
  if (charge.refunded || amount > left) {
    throw refused(`Only ${left} is left to refund.`, 'charge_already_refunded', 'amount');
  }
  const amount_refunded = charge.amount_refunded + amount;
  const after = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount };
  await saveObject(tx, after);
  await emitEvent(work, 'charge.refunded', after);
  return { id: newId('re'), object: 'refund', amount, charge: charge.id, status: 'succeeded' };
}
