import { noSuch } from '../failure.ts';
import type { Work } from '../host.ts';
import { listOf, newId, type Checkout, type LineItem, type Price } from '../objects.ts';
import { SANDBOX_PRICES } from '../prices.ts';
import { getObject, insertObject } from '../store.ts';
import { optionalUrl, readMetadata, requiredInteger, requiredText, type Params } from './params.ts';

const OPEN_FOR = 86_400;

/** For one line item: a plan in `subscription` mode, anything else in `payment` mode. */
export async function createCheckout(work: Work, params: Params): Promise<Checkout> {
  const { host, tx, now } = work;
  const id = newId('cs_test');
  const isPlan = requiredText(params, 'mode') === 'subscription';
  const line = newLine(isPlan ? readPlan(params) : readOneTimePrice(params));
  requiredText(params, 'success_url');
  const customer = isPlan ? requiredText(params, 'customer') : params.get('customer');
  if (customer !== null) await getObject(tx, 'customer', customer, 'customer');
  const checkout: Checkout = {
    id,
    object: 'checkout.session',
    amount_total: line.amount_total,
    cancel_url: optionalUrl(params, 'cancel_url'),
    client_reference_id: params.get('client_reference_id'),
    created: now,
    currency: 'usd',
    customer,
    expires_at: now + OPEN_FOR,
    invoice: null,
    line_items: listOf(`/v1/checkout/sessions/${id}/line_items`, [line]),
    livemode: false,
    metadata: readMetadata(params),
    mode: isPlan ? 'subscription' : 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: optionalUrl(params, 'success_url') ?? '',
    url: `${host.publicUrl()}/sandbox/checkout/${id}`,
  };
  await insertObject(tx, checkout);
  return checkout;
}

function readPlan(params: Params): Price {
  const param = 'line_items[0][price]';
  const id = requiredText(params, param);
  const price = SANDBOX_PRICES.get(id);
  if (!price) throw noSuch('price', id, param);
  return price;
}

function readOneTimePrice(params: Params): Price {
  const data = 'line_items[0][price_data]';
  return {
    id: newId('price'),
    object: 'price',
    currency: 'usd',
    nickname: requiredText(params, `${data}[product_data][name]`),
    type: 'one_time',
    unit_amount: requiredInteger(params, `${data}[unit_amount]`),
    recurring: null,
  };
}

function newLine(price: Price): LineItem {
  return {
    id: newId('li'),
    object: 'item',
    amount_total: price.unit_amount,
    currency: price.currency,
    description: price.nickname ?? price.id,
    price,
    quantity: 1,
  };
}
