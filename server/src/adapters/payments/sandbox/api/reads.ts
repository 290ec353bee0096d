import { z } from 'zod';
import { expireCheckout } from '../checkouts.ts';
import { noSuch } from '../failure.ts';
import { listOf } from '../objects/subscription.ts';
import { findPrice, planPrice } from '../prices.ts';
import { getObject, listObjects, lockObject, type ObjectType } from '../store.ts';
import { doWork, type SandboxParts } from '../work.ts';
import { present } from './expand.ts';
import { expand, integer, readParams, text, type Params } from './params.ts';

interface Collection {
  type: ObjectType;
  /** What a list may be asked for by: a parameter's name, and where its value stands in the object. */
  filters: Record<string, (value: string) => object>;
}

const field = (name: string) => (value: string) => ({ [name]: value });
const ofCustomer = { customer: field('customer') };
const ofPayment = { payment_intent: field('payment_intent') };

const COLLECTIONS: Readonly<Record<string, Collection>> = {
  customers: { type: 'customer', filters: { email: field('email') } },
  'checkout/sessions': {
    type: 'checkout.session',
    filters: {
      ...ofCustomer,
      ...ofPayment,
      subscription: field('subscription'),
      status: field('status'),
    },
  },
  subscriptions: { type: 'subscription', filters: ofCustomer },
  invoices: {
    type: 'invoice',
    filters: {
      ...ofCustomer,
      status: field('status'),
      subscription: (subscription) => ({ parent: { subscription_details: { subscription } } }),
    },
  },
  invoice_payments: {
    type: 'invoice_payment',
    filters: { invoice: field('invoice'), status: field('status') },
  },
  payment_intents: { type: 'payment_intent', filters: ofCustomer },
  charges: { type: 'charge', filters: { ...ofCustomer, ...ofPayment } },
  refunds: { type: 'refund', filters: { ...ofPayment, charge: field('charge') } },
  disputes: { type: 'dispute', filters: { ...ofPayment, charge: field('charge') } },
  events: { type: 'event', filters: { type: field('type') } },
};

/** GET; undefined for a path that there is not. Nothing of it changes anything, but for what has lapsed. */
export async function answerRead(
  parts: SandboxParts,
  path: string,
  params: Params,
): Promise<object | undefined> {
  const [, name = '', id, part] =
    /^\/v1\/(checkout\/sessions|\w+)(?:\/(\w+))?(\/line_items)?$/.exec(path) ?? [];
  if (name === 'prices' && id !== undefined) return readPrice(id);
  const collection = Object.hasOwn(COLLECTIONS, name) ? COLLECTIONS[name] : undefined;
  if (!collection) return undefined;
  if (id === undefined) return readList(parts, path, collection, params);
  if (part !== undefined) {
    return name === 'checkout/sessions'
      ? (await getObject(parts.db, 'checkout.session', id)).line_items
      : undefined;
  }
  const { expand: paths } = readParams(z.object({ expand }), params);
  if (collection.type === 'checkout.session') await expireIfLate(parts, id);
  return present(parts.db, await getObject(parts.db, collection.type, id), paths);
}

function readPrice(id: string): object {
  const price = findPrice(id);
  if (!price) throw noSuch('price', id);
  return planPrice(id, price);
}

const listParams = z.object({
  expand,
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: text.optional(),
  created: z.object({ gte: integer.optional() }).optional(),
  status: text.optional(),
  payment: z.object({ payment_intent: text.optional() }).optional(),
});

async function readList(
  { db }: SandboxParts,
  path: string,
  { type, filters }: Collection,
  params: Params,
): Promise<object> {
  const { limit, starting_after: after, ...asked } = readParams(listParams, params);
  const filter = {};
  for (const [name, where] of Object.entries(filters)) {
    const value = params[name];
    if (typeof value === 'string') Object.assign(filter, where(value));
  }
  const { exceptStatus, ...status } = type === 'subscription' ? readStatus(asked.status) : {};
  const found = await listObjects(db, type, {
    filter: { ...filter, ...status, ...(asked.payment && { payment: asked.payment }) },
    ...(exceptStatus !== undefined && { exceptStatus }),
    ...(asked.created?.gte !== undefined && { createdFrom: asked.created.gte }),
    ...(after !== undefined && { after }),
    limit: limit + 1,
  });
  const shown = found.slice(0, limit).map((object) => object as object);
  const list = listOf(
    path,
    await Promise.all(shown.map((object) => present(db, object, []))),
    found.length > limit,
  );
  return present(db, list, asked.expand);
}

/** Ended ones are listed only when asked for. */
function readStatus(status: string | undefined): { exceptStatus?: string; status?: string } {
  if (status === undefined) return { exceptStatus: 'canceled' };
  if (status === 'all') return {};
  return { status: status === 'ended' ? 'canceled' : status };
}

async function expireIfLate(parts: SandboxParts, id: string): Promise<void> {
  const { status, expires_at: end } = await getObject(parts.db, 'checkout.session', id);
  if (status !== 'open' || end > parts.now()) return;
  await doWork(parts, async (work) => {
    const checkout = await lockObject(work.tx, 'checkout.session', id);
    if (checkout.status === 'open') await expireCheckout(work, checkout);
  });
}
