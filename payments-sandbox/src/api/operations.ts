import { noSuch } from '../failure.ts';
import type { Database, Work } from '../host.ts';
import { listOf, newId, type Customer, type ObjectType, type Portal } from '../objects.ts';
import { refundPayment } from '../payments.ts';
import { SANDBOX_PRICES } from '../prices.ts';
import { getObject, insertObject, listObjects, lockObject } from '../store.ts';
import { endSubscription } from '../subscriptions.ts';
import { createCheckout } from './create-checkout.ts';
import { present } from './expand.ts';
import {
  optionalUrl,
  readExpand,
  readMetadata,
  requiredInteger,
  requiredText,
  type Params,
} from './params.ts';

const COLLECTIONS: ReadonlyMap<string, ObjectType> = new Map([
  ['customers', 'customer'],
  ['checkout/sessions', 'checkout.session'],
  ['subscriptions', 'subscription'],
  ['invoices', 'invoice'],
  ['payment_intents', 'payment_intent'],
  ['charges', 'charge'],
  ['disputes', 'dispute'],
  ['events', 'event'],
]);
const FILTERS = new Set(['customer', 'payment_intent', 'charge']);

/** GET. Undefined if the path is unknown. Lists have one page, of up to 100 objects. */
export async function read(
  db: Database,
  path: string,
  params: Params,
): Promise<object | undefined> {
  const [, name = '', id] = /^\/v1\/(checkout\/sessions|\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (name === 'prices' && id !== undefined) return readPrice(id);
  const type = COLLECTIONS.get(name);
  if (!type) return undefined;
  const expand = readExpand(params);
  if (id !== undefined) return present(db, await getObject(db, type, id), expand);
  const filter = Object.fromEntries([...params].filter(([key]) => FILTERS.has(key)));
  const found = await listObjects(db, type, filter);
  const shown = await Promise.all(found.map((object) => present(db, object, [])));
  return present(db, listOf(path, shown), expand);
}

function readPrice(id: string): object {
  const price = SANDBOX_PRICES.get(id);
  if (!price) throw noSuch('price', id);
  return price;
}

type Write = (work: Work, params: Params, id: string) => Promise<object>;

const WRITES: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['POST /v1/customers', createCustomer],
  ['POST /v1/checkout/sessions', createCheckout],
  ['POST /v1/billing_portal/sessions', createPortal],
  ['POST /v1/refunds', createRefund],
  ['DELETE /v1/subscriptions/{id}', cancelSubscription],
]);

/** POST and DELETE. Undefined if the path is unknown. */
export async function write(
  work: Work,
  method: string,
  path: string,
  params: Params,
): Promise<object | undefined> {
  const id = /\/(sub_\w+)$/.exec(path)?.[1] ?? '';
  const operation = WRITES.get(`${method} ${id === '' ? path : path.replace(id, '{id}')}`);
  return operation && present(work.tx, await operation(work, params, id), readExpand(params));
}

async function createCustomer({ tx, now }: Work, params: Params): Promise<Customer> {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    created: now,
    email: params.get('email'),
    livemode: false,
    metadata: readMetadata(params),
    name: params.get('name'),
  };
  await insertObject(tx, customer);
  return customer;
}

/** How long a link to the portal works. */
export const PORTAL_SECONDS = 3_600;

async function createPortal({ host, tx, now }: Work, params: Params): Promise<Portal> {
  const id = newId('bps');
  const customer = requiredText(params, 'customer');
  await getObject(tx, 'customer', customer, 'customer');
  const portal: Portal = {
    id,
    object: 'billing_portal.session',
    created: now,
    customer,
    livemode: false,
    return_url: optionalUrl(params, 'return_url'),
    url: `${host.publicUrl()}/sandbox/portal/${id}`,
  };
  await insertObject(tx, portal, now + PORTAL_SECONDS);
  return portal;
}

async function createRefund(work: Work, params: Params): Promise<object> {
  const amount = params.has('amount') ? requiredInteger(params, 'amount') : undefined;
  return refundPayment(work, requiredText(params, 'payment_intent'), amount);
}

async function cancelSubscription(work: Work, _params: Params, id: string): Promise<object> {
  const subscription = await lockObject(work.tx, 'subscription', id);
  // As in Stripe, a subscription that has ended cannot be found here.
  if (subscription.status === 'canceled') throw noSuch('subscription', id);
  return endSubscription(work, subscription);
}
