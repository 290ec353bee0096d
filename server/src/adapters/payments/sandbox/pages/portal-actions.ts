import type Stripe from 'stripe';
import { changePrice } from '../change-price.ts';
import { settleCheckout } from '../checkouts.ts';
import { refused } from '../failure.ts';
import { itemOf } from '../objects/subscription.ts';
import { closeDispute, disputeCharge, openDisputeOf, refundPayment } from '../payments.ts';
import { catchUp, payOpenInvoice } from '../renew.ts';
import { getObject, listObjects, lockObject } from '../store.ts';
import {
  endSubscription,
  findOpenInvoice,
  lockLiveSubscription,
  setCancelAtPeriodEnd,
  setDeclineNext,
} from '../subscriptions.ts';
import type { Work } from '../work.ts';

const GONE = 'This is not possible any more. The page shows how things are now.';

/** Does what a form of the portal asks for, to what is this customer's. */
export async function actOnPortal(
  work: Work,
  customer: string,
  form: URLSearchParams,
): Promise<void> {
  const action = form.get('action') ?? '';
  const charge = readId(form, 'charge');
  const subscription = readId(form, 'subscription');
  if (charge !== undefined) {
    const found = await getObject(work.tx, 'charge', charge);
    if (found.customer !== customer) throw refused(GONE);
    await actOnCharge(work, action, charge);
    return;
  }
  if (subscription === undefined) throw refused(GONE);
  const found = await lockLiveSubscription(work, subscription);
  if (found.customer !== customer) throw refused(GONE);
  await actOnSubscription(work, action, found, form.get('price') ?? '');
}

function readId(form: URLSearchParams, name: string): string | undefined {
  const id = form.get(name);
  return id !== null && /^\w{1,200}$/.test(id) ? id : undefined;
}

async function actOnSubscription(
  work: Work,
  action: string,
  subscription: Stripe.Subscription,
  price: string,
): Promise<unknown> {
  switch (action) {
    case 'change':
      return changePrice(work, subscription, price, { invoiceNow: true });
    case 'cancel':
      return setCancelAtPeriodEnd(work, subscription, true);
    case 'resume':
      return setCancelAtPeriodEnd(work, subscription, false);
    case 'decline-on':
      return setDeclineNext(work, subscription.id, true);
    case 'decline-off':
      return setDeclineNext(work, subscription.id, false);
    case 'end-period':
      return endPeriod(work, subscription);
    case 'end-now':
      return endSubscription(work, subscription, 'cancellation_requested');
    case 'pay-invoice': {
      const open = await findOpenInvoice(work, subscription);
      if (!open) throw refused(GONE);
      return payOpenInvoice(work, subscription, open);
    }
    default:
      throw refused(GONE);
  }
}

/** As if the time had come: the next period begins now. */
async function endPeriod(work: Work, subscription: Stripe.Subscription): Promise<void> {
  const item = itemOf(subscription);
  // A period of no length would be no period.
  if (item.current_period_start >= work.now) throw refused('The period has only just begun.');
  const ended = { ...item, current_period_end: work.now };
  await catchUp(work, {
    ...subscription,
    billing_cycle_anchor: work.now,
    items: { ...subscription.items, data: [ended] },
  });
}

async function actOnCharge(work: Work, action: string, charge: string): Promise<unknown> {
  switch (action) {
    case 'refund':
      return refundPayment(work, { charge, reason: 'requested_by_customer' });
    case 'dispute':
      return disputeCharge(work, charge);
    case 'settle':
      return settle(work, charge);
    case 'win':
    case 'lose': {
      const dispute = await openDisputeOf(work, charge);
      if (!dispute) throw refused(GONE);
      return closeDispute(work, dispute.id, action === 'win' ? 'won' : 'lost');
    }
    default:
      throw refused(GONE);
  }
}

async function settle(work: Work, chargeId: string): Promise<void> {
  const { payment_intent: intent } = await getObject(work.tx, 'charge', chargeId);
  const filter = { payment_intent: intent };
  const [checkout] = await listObjects(work.tx, 'checkout.session', { filter });
  if (!checkout) throw refused(GONE);
  await settleCheckout(work, await lockObject(work.tx, 'checkout.session', checkout.id));
}
