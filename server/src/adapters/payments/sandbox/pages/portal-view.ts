import { PORTAL_SECONDS } from '../objects/checkout.ts';
import { findObject, listObjects } from '../store.ts';
import { findOpenInvoice, isDeclineNext } from '../subscriptions.ts';
import type { Work } from '../work.ts';
import type { PortalView } from './portal-page.ts';

const PAYMENTS_SHOWN = 10;

/** Undefined for a portal that is not known, or not any more. */
export async function readPortal(work: Work, id: string): Promise<PortalView | undefined> {
  const { tx, now } = work;
  const portal = await findObject(tx, 'billing_portal.session', id);
  if (!portal || portal.created + PORTAL_SECONDS <= now) return undefined;
  const customer = await findObject(tx, 'customer', portal.customer);
  if (!customer) return undefined;
  const filter = { customer: customer.id };
  const found = await listObjects(tx, 'subscription', { filter, exceptStatus: 'canceled' });
  const charges = await listObjects(tx, 'charge', { filter, limit: PAYMENTS_SHOWN });
  const subscriptions = [];
  for (const subscription of found) {
    subscriptions.push({
      subscription,
      isDeclineNext: await isDeclineNext(work, subscription.id),
      hasOpenInvoice: (await findOpenInvoice(work, subscription)) !== undefined,
    });
  }
  const disputes = [];
  for (const { id: charge, disputed } of charges) {
    if (disputed) disputes.push(...(await listObjects(tx, 'dispute', { filter: { charge } })));
  }
  return { customer, returnUrl: portal.return_url, subscriptions, charges, disputes };
}
