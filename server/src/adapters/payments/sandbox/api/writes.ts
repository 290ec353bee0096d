import { z } from 'zod';
import { changePrice } from '../change-price.ts';
import { expireCheckout } from '../checkouts.ts';
import { noSuch, refused } from '../failure.ts';
import { newPortal, PORTAL_SECONDS } from '../objects/checkout.ts';
import { newCustomer } from '../objects/customer.ts';
import { closeDispute, refundPayment } from '../payments.ts';
import { payOpenInvoice } from '../renew.ts';
import { getObject, idOf, insertObject, lockObject, saveObject } from '../store.ts';
import {
  endSubscription,
  findOpenInvoice,
  lockLiveSubscription,
  setCancelAtPeriodEnd,
  updated,
} from '../subscriptions.ts';
import type { Work } from '../work.ts';
import { createCheckout } from './create-checkout.ts';
import { present } from './expand.ts';
import {
  expand,
  flag,
  integer,
  metadata,
  readParams,
  text,
  webUrl,
  type Params,
} from './params.ts';

type Write = (work: Work, params: Params, id: string) => Promise<object>;

/** POST and DELETE, by method and path; `{id}` is the object's. */
const WRITES: Readonly<Record<string, Write>> = {
  'POST /v1/customers': createCustomer,
  'POST /v1/customers/{id}': updateCustomer,
  'POST /v1/checkout/sessions': createCheckout,
  'POST /v1/checkout/sessions/{id}/expire': async (work, _params, id) =>
    expireCheckout(work, await lockObject(work.tx, 'checkout.session', id)),
  'POST /v1/billing_portal/sessions': createPortal,
  'POST /v1/subscriptions/{id}': updateSubscription,
  'DELETE /v1/subscriptions/{id}': cancelSubscription,
  'POST /v1/invoices/{id}/pay': payInvoiceNow,
  'POST /v1/refunds': createRefund,
  'POST /v1/disputes/{id}/close': (work, _params, id) => closeDispute(work, id, 'lost'),
};

/** Undefined for a path that there is not. */
export async function answerWrite(
  work: Work,
  method: string,
  path: string,
  params: Params,
): Promise<object | undefined> {
  const { expand: paths } = readParams(z.object({ expand }), params);
  const [, before, id = '', after = ''] =
    /^(\/v1\/(?:checkout\/sessions|billing_portal\/sessions|\w+))(?:\/(\w+))?(\/\w+)?$/.exec(
      path,
    ) ?? [];
  const name = `${method} ${before}${id === '' ? '' : '/{id}'}${after}`;
  const write = Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
  return write && present(work.tx, await write(work, params, id), paths);
}

const customerParams = z.object({
  name: z.string().max(256).optional(),
  email: z.string().max(512).optional(),
  description: z.string().max(5_000).optional(),
  metadata: metadata.default({}),
});

async function createCustomer(work: Work, params: Params): Promise<object> {
  const customer = newCustomer(readParams(customerParams, params), work.now);
  await insertObject(work.tx, customer);
  return customer;
}

async function updateCustomer(work: Work, params: Params, id: string): Promise<object> {
  const { name, email, description, metadata: changes } = readParams(customerParams, params);
  const customer = await lockObject(work.tx, 'customer', id);
  const after = {
    ...customer,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(description !== undefined && { description }),
    metadata: { ...customer.metadata, ...changes },
  };
  await saveObject(work.tx, after);
  return after;
}

const portalParams = z.object({ customer: text, return_url: webUrl.optional() });

async function createPortal(work: Work, params: Params): Promise<object> {
  const { customer, return_url: returnUrl = null } = readParams(portalParams, params);
  await getObject(work.tx, 'customer', customer, 'customer');
  const portal = newPortal(customer, returnUrl, work.publicUrl, work.now);
  await insertObject(work.tx, portal, work.now + PORTAL_SECONDS);
  return portal;
}

const subscriptionParams = z.object({
  cancel_at_period_end: flag.optional(),
  items: z
    .array(z.object({ id: text.optional(), price: text.optional() }))
    .max(1)
    .default([]),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
  metadata: metadata.optional(),
});

async function updateSubscription(work: Work, params: Params, id: string): Promise<object> {
  const asked = readParams(subscriptionParams, params);
  const invoiceNow = asked.proration_behavior === 'always_invoice';
  let subscription = await lockLiveSubscription(work, id);
  const price = asked.items[0]?.price;
  if (price !== undefined)
    subscription = await changePrice(work, subscription, price, { invoiceNow });
  if (asked.cancel_at_period_end !== undefined) {
    subscription = await setCancelAtPeriodEnd(work, subscription, asked.cancel_at_period_end);
  }
  if (!asked.metadata) return subscription;
  const merged = { ...subscription.metadata, ...asked.metadata };
  return updated(work, subscription, { ...subscription, metadata: merged });
}

async function cancelSubscription(work: Work, _params: Params, id: string): Promise<object> {
  const subscription = await lockObject(work.tx, 'subscription', id);
  // As Stripe says it of one that has ended.
  if (subscription.status === 'canceled') throw noSuch('subscription', id);
  return endSubscription(work, subscription, 'cancellation_requested');
}

async function payInvoiceNow(work: Work, _params: Params, id: string): Promise<object> {
  const { parent } = await getObject(work.tx, 'invoice', id);
  const subscriptionId = idOf(parent?.subscription_details?.subscription);
  const subscription = await lockLiveSubscription(work, subscriptionId);
  const open = await findOpenInvoice(work, subscription);
  if (open?.id !== id) throw refused('Invoice is already paid', 'invoice_already_paid');
  await payOpenInvoice(work, subscription, open);
  return getObject(work.tx, 'invoice', id);
}

const refundParams = z.object({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.pipe(z.number().min(1)).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
});

async function createRefund(work: Work, params: Params): Promise<object> {
  const { payment_intent: paymentIntent, ...asked } = readParams(refundParams, params);
  return refundPayment(work, { ...asked, paymentIntent });
}
