import type Stripe from 'stripe';
import { emitEvent } from './events.ts';
import { refused } from './failure.ts';
import {
  CARD,
  DECLINED,
  newCharge,
  newDispute,
  newPaymentIntent,
  newRefund,
  type ChargeStatus,
  type PaymentDraft,
} from './objects/payment.ts';
import { getObject, idOf, insertObject, listObjects, lockObject, saveObject } from './store.ts';
import type { Work } from './work.ts';

/** `pending` is money that is on its way; `settlePayment` lets it arrive. */
export async function takePayment(
  work: Work,
  {
    intent: known,
    status,
    ...draft
  }: PaymentDraft & {
    /** The one of an earlier attempt. */
    intent?: string | undefined;
    status: ChargeStatus;
  },
): Promise<Stripe.PaymentIntent> {
  const { tx, now } = work;
  const intent =
    known === undefined
      ? newPaymentIntent(draft, now)
      : await lockObject(tx, 'payment_intent', known);
  if (known === undefined) await insertObject(tx, intent);
  const charge = newCharge(intent, status, now);
  await insertObject(tx, charge);
  const after: Stripe.PaymentIntent = { ...intent, ...outcome(charge, status) };
  await saveObject(tx, after);
  if (status === 'succeeded') await emitEvent(work, 'payment_intent.succeeded', after);
  if (status === 'failed') await emitEvent(work, 'payment_intent.payment_failed', after);
  return after;
}

export async function settlePayment(work: Work, intentId: string): Promise<void> {
  const { tx } = work;
  const intent = await lockObject(tx, 'payment_intent', intentId);
  const charge = await lockObject(tx, 'charge', idOf(intent.latest_charge));
  await saveObject(tx, { ...charge, paid: true, status: 'succeeded' });
  const after: Stripe.PaymentIntent = { ...intent, ...outcome(charge, 'succeeded') };
  await saveObject(tx, after);
  await emitEvent(work, 'payment_intent.succeeded', after);
}

function outcome(charge: Stripe.Charge, status: ChargeStatus): Partial<Stripe.PaymentIntent> {
  if (status === 'failed') {
    return {
      latest_charge: charge.id,
      last_payment_error: {
        type: 'card_error',
        charge: charge.id,
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: DECLINED,
      },
      status: 'requires_payment_method',
    };
  }
  return {
    latest_charge: charge.id,
    last_payment_error: null,
    payment_method: CARD,
    ...(status === 'pending'
      ? { status: 'processing' }
      : { amount_received: charge.amount, status: 'succeeded' }),
  };
}

export interface RefundRequest {
  charge?: string | undefined;
  paymentIntent?: string | undefined;
  amount?: number | undefined;
  reason?: string | undefined;
  metadata?: Stripe.Metadata | undefined;
}

export async function refundPayment(work: Work, request: RefundRequest): Promise<Stripe.Refund> {
  const { tx, now } = work;
  const charge = await lockObject(
    tx,
    'charge',
    request.charge ?? (await chargeOf(work, request.paymentIntent)),
    'charge',
  );
  const left = charge.amount - charge.amount_refunded;
  const { amount = left, reason, metadata = {} } = request;
  if (!charge.paid) throw refused(`Charge ${charge.id} has not been paid.`);
  if (charge.disputed) {
    throw refused(`Charge ${charge.id} has been charged back.`, 'charge_disputed');
  }
  if (charge.refunded) {
    throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  }
  if (amount > left) {
    throw refused(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'charge_already_refunded',
      'amount',
    );
  }
  const refund = newRefund(charge, { amount, reason, metadata }, now);
  const amount_refunded = charge.amount_refunded + amount;
  const after = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount };
  await insertObject(tx, refund);
  await saveObject(tx, after);
  await emitEvent(work, 'charge.refunded', after, {
    amount_refunded: charge.amount_refunded,
    refunded: charge.refunded,
  });
  return refund;
}

async function chargeOf({ tx }: Work, paymentIntent: string | undefined): Promise<string> {
  if (paymentIntent === undefined) {
    throw refused('One of the following params should be provided: payment_intent or charge.');
  }
  const intent = await getObject(tx, 'payment_intent', paymentIntent, 'payment_intent');
  if (intent.latest_charge !== null) return idOf(intent.latest_charge);
  throw refused(
    `This PaymentIntent (${paymentIntent}) does not have a successful charge to refund.`,
  );
}

/** What a bank does when its customer says that the payment was not theirs. */
export async function disputeCharge(work: Work, chargeId: string): Promise<Stripe.Dispute> {
  const { tx, now } = work;
  const charge = await lockObject(tx, 'charge', chargeId);
  if (!charge.paid || charge.disputed || charge.refunded) {
    throw refused(`Charge ${charge.id} cannot be disputed.`);
  }
  const dispute = newDispute(charge, now);
  await insertObject(tx, dispute);
  await saveObject(tx, { ...charge, disputed: true });
  await emitEvent(work, 'charge.dispute.created', dispute);
  return dispute;
}

export async function closeDispute(
  work: Work,
  disputeId: string,
  status: 'won' | 'lost',
): Promise<Stripe.Dispute> {
  const { tx } = work;
  const { charge } = await getObject(tx, 'dispute', disputeId);
  await lockObject(tx, 'charge', idOf(charge));
  const dispute = await lockObject(tx, 'dispute', disputeId);
  if (dispute.status !== 'needs_response') throw refused('This dispute is already closed');
  const after: Stripe.Dispute = { ...dispute, status };
  await saveObject(tx, after);
  await emitEvent(work, 'charge.dispute.closed', after);
  return after;
}

export async function openDisputeOf(
  { tx }: Pick<Work, 'tx'>,
  charge: string,
): Promise<Stripe.Dispute | undefined> {
  const [dispute] = await listObjects(tx, 'dispute', {
    filter: { charge, status: 'needs_response' },
  });
  return dispute;
}
