import {
  completeCheckout,
  doWork,
  emitEvent,
  getObject,
  insertObject,
  lineOf,
  listObjects,
  lockObject,
  newId,
  saveObject,
  takePayment,
  type Dispute,
  type SandboxHost,
} from '@atrium/payments-sandbox/testing';

/** What nobody can click in the sandbox: bank debits that arrive late, and disputes. */
export interface Bank {
  /** Completes a checkout for credits with a debit that has not arrived yet. */
  debit(checkoutId: string): Promise<void>;
  /** The money of that debit arrives. */
  settle(checkoutId: string): Promise<void>;
  /** The bank's customer says that the payment was not theirs. */
  dispute(chargeId: string): Promise<void>;
  closeDispute(chargeId: string, status: 'won' | 'lost'): Promise<void>;
}

export function createBank(host: SandboxHost): Bank {
  return {
    debit: (checkoutId) =>
      doWork(host, async (work) => {
        const { tx } = work;
        const checkout = await lockObject(tx, 'checkout.session', checkoutId);
        const { amount_total: amount, customer } = checkout;
        const { description } = lineOf(checkout);
        const intent = await takePayment(work, { amount, customer, description });
        const charge = await getObject(tx, 'charge', intent.latest_charge);
        await saveObject(tx, { ...intent, amount_received: 0, status: 'processing' });
        await saveObject(tx, { ...charge, paid: false, status: 'pending' });
        await completeCheckout(work, checkout, { payment_intent: intent.id });
      }),
    settle: (checkoutId) =>
      doWork(host, async (work) => {
        const { tx } = work;
        const checkout = await lockObject(tx, 'checkout.session', checkoutId);
        const intent = await lockObject(tx, 'payment_intent', checkout.payment_intent ?? '');
        const charge = await lockObject(tx, 'charge', intent.latest_charge);
        await saveObject(tx, { ...intent, amount_received: intent.amount, status: 'succeeded' });
        await saveObject(tx, { ...charge, paid: true, status: 'succeeded' });
        const after = { ...checkout, payment_status: 'paid' } as const;
        await saveObject(tx, after);
        await emitEvent(work, 'checkout.session.async_payment_succeeded', after);
      }),
    dispute: (chargeId) =>
      doWork(host, async (work) => {
        const charge = await lockObject(work.tx, 'charge', chargeId);
        const dispute: Dispute = {
          id: newId('dp'),
          object: 'dispute',
          amount: charge.amount - charge.amount_refunded,
          charge: chargeId,
          created: work.now,
          currency: charge.currency,
          livemode: false,
          payment_intent: charge.payment_intent,
          status: 'needs_response',
        };
        await insertObject(work.tx, dispute);
        await saveObject(work.tx, { ...charge, disputed: true });
        await emitEvent(work, 'charge.dispute.created', dispute);
      }),
    closeDispute: (chargeId, status) =>
      doWork(host, async (work) => {
        await lockObject(work.tx, 'charge', chargeId);
        const open = { charge: chargeId, status: 'needs_response' };
        const [dispute] = await listObjects(work.tx, 'dispute', open);
        if (!dispute) throw new Error(`charge ${chargeId} has no open dispute`);
        await saveObject(work.tx, { ...dispute, status });
        await emitEvent(work, 'charge.dispute.closed', { ...dispute, status });
      }),
  };
}
