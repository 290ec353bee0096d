import type Stripe from 'stripe';
import { z } from 'zod';
import { noSuch, refused } from '../failure.ts';
import { newCheckout, newLineItem } from '../objects/checkout.ts';
import { findPrice, planPrice, priceTitle, wirePrice } from '../prices.ts';
import { getObject, insertObject, newSandboxId } from '../store.ts';
import type { Work } from '../work.ts';
import { expand, integer, metadata, readParams, text, webUrl, type Params } from './params.ts';

const DAY = 86_400;
const LEAST_AMOUNT = 50;
const MOST_AMOUNT = 99_999_999;

const count = integer.pipe(z.number().min(1).max(999_999));
const lineParams = z.object({
  price: text.optional(),
  price_data: z
    .object({
      currency: z.string().regex(/^[a-z]{3}$/i, 'Invalid currency'),
      unit_amount: integer.pipe(z.number().min(0).max(MOST_AMOUNT)),
      product_data: z.object({ name: text.max(500) }),
    })
    .optional(),
  quantity: count.default(1),
});

const checkoutParams = z.object({
  mode: z.enum(['payment', 'subscription']),
  line_items: z.array(lineParams).min(1).max(100),
  success_url: webUrl,
  cancel_url: webUrl.optional(),
  customer: text.optional(),
  customer_email: text.max(512).optional(),
  client_reference_id: text.max(200).optional(),
  expires_at: integer.optional(),
  metadata: metadata.default({}),
  subscription_data: z.object({ metadata: metadata.default({}) }).optional(),
  payment_intent_data: z.object({ metadata: metadata.default({}) }).optional(),
  expand,
});

export async function createCheckout(work: Work, params: Params): Promise<Stripe.Checkout.Session> {
  const asked = readParams(checkoutParams, params);
  const { mode, customer = null } = asked;
  if (customer !== null) await getObject(work.tx, 'customer', customer, 'customer');
  const lines = asked.line_items.map((line, at) => readLine(line, at, work.now));
  checkPrices(mode, lines);
  const bought = mode === 'payment' ? asked.payment_intent_data : asked.subscription_data;
  const checkout = newCheckout(
    {
      mode,
      lines,
      customer,
      currency: lines[0]?.currency ?? 'usd',
      customerEmail: asked.customer_email ?? null,
      clientReferenceId: asked.client_reference_id ?? null,
      metadata: asked.metadata,
      boughtMetadata: bought?.metadata ?? {},
      successUrl: asked.success_url,
      cancelUrl: asked.cancel_url ?? null,
      expiresAt: readExpiry(asked.expires_at, work.now),
    },
    work.publicUrl,
    work.now,
  );
  await insertObject(work.tx, checkout, checkout.expires_at);
  return checkout;
}

function readLine(line: z.output<typeof lineParams>, at: number, now: number): Stripe.LineItem {
  const param = `line_items[${at}]`;
  if ((line.price === undefined) === (line.price_data === undefined)) {
    throw refused(
      `You must specify either \`price\` or \`price_data\`.`,
      'parameter_missing',
      param,
    );
  }
  if (line.price_data) {
    const { currency, unit_amount, product_data } = line.price_data;
    const price = wirePrice({
      id: newSandboxId('price'),
      product: newSandboxId('prod'),
      nickname: null,
      type: 'one_time',
      recurring: null,
      unit_amount,
      currency: currency.toLowerCase(),
      created: now,
    });
    return newLineItem(price, product_data.name, line.quantity);
  }
  const id = line.price ?? '';
  const price = findPrice(id);
  if (!price) throw noSuch('price', id, `${param}[price]`);
  return newLineItem(planPrice(id, price), priceTitle(price), line.quantity);
}

function checkPrices(mode: 'payment' | 'subscription', lines: readonly Stripe.LineItem[]): void {
  const recurring = lines.filter((line) => line.price?.type === 'recurring').length;
  if (mode === 'payment' && recurring > 0) {
    throw refused(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      undefined,
      'line_items',
    );
  }
  if (mode === 'subscription' && (recurring !== 1 || lines.length !== 1)) {
    throw refused(
      'In `subscription` mode the sandbox takes exactly one price, a recurring one.',
      undefined,
      'line_items',
    );
  }
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  if (total < LEAST_AMOUNT) {
    throw refused(`The total must be at least ${LEAST_AMOUNT}.`, 'amount_too_small', 'line_items');
  }
  if (total > MOST_AMOUNT) {
    throw refused(`The total must be at most ${MOST_AMOUNT}.`, 'amount_too_large', 'line_items');
  }
  if (new Set(lines.map((line) => line.currency)).size > 1) {
    throw refused('All line items must have the same currency.', undefined, 'line_items');
  }
}

/** From half an hour to a day; a day unless told. */
function readExpiry(asked: number | undefined, now: number): number {
  if (asked === undefined) return now + DAY;
  if (asked >= now + 1_800 && asked <= now + DAY) return asked;
  throw refused(
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.',
    undefined,
    'expires_at',
  );
}
