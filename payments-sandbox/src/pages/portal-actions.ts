import { changePrice } from '../change-price.ts';
import { refused } from '../failure.ts';
import type { Work } from '../host.ts';
import type { Subscription } from '../objects.ts';
import { catchUp } from '../renew.ts';
import { lockObject } from '../store.ts';
import {
  itemOf,
  payOpenInvoice,
  saveSubscription,
  setCancelAtPeriodEnd,
  withItem,
} from '../subscriptions.ts';

const GONE = 'That is no longer possible. The page shows the current state.';

/** Does what a form of the portal asks for, to this customer's subscription only. */
export async function actOnPortal(
  work: Work,
  customer: string,
  form: URLSearchParams,
): Promise<void> {
  const id = form.get('subscription') ?? '';
  if (!/^\w{1,200}$/.test(id)) throw refused(GONE);
  const subscription = await lockObject(work.tx, 'subscription', id);
  const isLive = subscription.status !== 'canceled';
  if (!isLive || subscription.customer !== customer) throw refused(GONE);
  await act(work, form.get('action') ?? '', subscription, form.get('price') ?? '');
}

async function act(
  work: Work,
  action: string,
  subscription: Subscription,
  price: string,
): Promise<unknown> {
  switch (action) {
    case 'change':
      return changePrice(work, subscription, price);
    case 'cancel':
    case 'resume':
      return setCancelAtPeriodEnd(work, subscription, action === 'cancel');
    case 'decline-on':
    case 'decline-off':
      return saveSubscription(work, { ...subscription, declines_next: action === 'decline-on' });
    case 'end-period':
      return endPeriod(work, subscription);
    case 'pay-invoice':
      if (subscription.status !== 'past_due') throw refused(GONE);
      return payOpenInvoice(work, subscription);
    default:
      throw refused(GONE);
  }
}

/** The next period begins now. */
async function endPeriod(work: Work, subscription: Subscription): Promise<void> {
  if (itemOf(subscription).current_period_start >= work.now) {
    throw refused('The period has only just begun. Try again in a second.');
  }
  const ended = withItem(subscription, { current_period_end: work.now });
  await catchUp(work, { ...ended, billing_cycle_anchor: work.now });
}
