import type Stripe from 'stripe';
import { once } from '../../core/once.ts';
import type { CheckoutRequest, Payments } from './payments.ts';
import { createAmounts } from './stripe-amounts.ts';
import { readStripeEvent } from './stripe-event.ts';
import { priceName, readPrices } from './stripe-prices.ts';
import { cancelAndRefund } from './stripe-refund.ts';
import { idOf, orMissing, shareLostOf, subscriptionState, type Ask } from './stripe-state.ts';

export interface StripeOptions {
  apiKey: string;
  /** Price ids by `<plan>_<interval>`. Several, separated by commas, if a price has changed. */
  prices: Readonly<Record<string, string>>;
  /** Called before the first request. The sandbox starts then. */
  connect: () => Promise<Connection>;
  isSandbox: boolean;
}

/** The API's address, if it is not Stripe's own, and the secret that signs its webhooks. */
export interface Connection {
  host?: string;
  port?: number;
  protocol?: 'http' | 'https';
  webhookSecret: string | undefined;
}

/** For both attempts of a call together, so that two calls fit into ten seconds. */
const LIMIT_MS = 4_500;
const TIMEOUT_MS = 4_000;
const RETRIES = 1;

/** Stripe through its own SDK. The sandbox speaks the same protocol. */
export function createStripePayments(options: StripeOptions): Payments {
  const prices = readPrices(options.prices);
  const connect = once(() => createClient(options));
  const ask: Ask = async (call) => {
    const { stripe } = await connect();
    return withinLimit(call(stripe));
  };
  const amountOf = createAmounts(ask);

  async function createCheckout(
    { customerId, checkoutId, successUrl, cancelUrl }: CheckoutRequest,
    bought: Stripe.Checkout.SessionCreateParams,
    key: string,
  ) {
    const params = {
      ...bought,
      customer: customerId,
      client_reference_id: checkoutId,
      success_url: successUrl,
      cancel_url: cancelUrl,
    };
    const { id, url } = await ask((stripe) =>
      stripe.checkout.sessions.create(params, { idempotencyKey: key }),
    );
    if (url === null) throw new Error('the payment provider returned no URL for the checkout');
    return { id, url };
  }

  return {
    isSandbox: options.isSandbox,
    hasPrice: (price) => prices.idOf.has(priceName(price)),
    async getAmount(price) {
      const id = prices.idOf.get(priceName(price));
      return id === undefined ? undefined : amountOf(id);
    },
    async createCustomer({ orgId, name, email }, key) {
      const params = { name, email, metadata: { orgId } };
      return (await ask((stripe) => stripe.customers.create(params, { idempotencyKey: key }))).id;
    },
    createPlanCheckout({ price, ...checkout }, key) {
      const id = prices.idOf.get(priceName(price));
      if (id === undefined) throw new Error(`no price is configured for ${priceName(price)}`);
      const line = { price: id, quantity: 1 };
      return createCheckout(checkout, { mode: 'subscription', line_items: [line] }, key);
    },
    createTopupCheckout({ credits, ...checkout }, key) {
      // One credit is 0.01 USD, and amounts are in cents.
      const price_data = {
        currency: 'usd',
        unit_amount: credits,
        product_data: { name: `${credits.toLocaleString('en-US')} Atrium credits` },
      };
      const line = { price_data, quantity: 1 };
      return createCheckout(checkout, { mode: 'payment', line_items: [line] }, key);
    },
    async createPortal({ customerId, returnUrl }, key) {
      const params = { customer: customerId, return_url: returnUrl };
      const { id, url } = await ask((stripe) =>
        stripe.billingPortal.sessions.create(params, { idempotencyKey: key }),
      );
      return { id, url };
    },
    async getCheckout(id) {
      const expand = ['payment_intent.latest_charge'];
      const session = await ask((stripe) => stripe.checkout.sessions.retrieve(id, { expand }));
      const { payment_status: status, payment_intent: payment } = session;
      return {
        id,
        isPaid: status === 'paid' || status === 'no_payment_required',
        paymentId: idOf(payment),
        shareLost: await shareLostOf(ask, payment),
        subscriptionId: idOf(session.subscription),
      };
    },
    async findCheckoutOf(paymentId) {
      const found = await ask((stripe) =>
        orMissing(stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 })),
      );
      return found?.data[0]?.id;
    },
    async getSubscription(id) {
      const expand = ['latest_invoice'];
      const found = await ask((stripe) => orMissing(stripe.subscriptions.retrieve(id, { expand })));
      return found && subscriptionState(found, prices.planOf);
    },
    cancelAndRefund: (subscriptionId, key) => cancelAndRefund(ask, subscriptionId, key),
    async readEvent(body, signature) {
      const { stripe, webhookSecret } = await connect();
      return readStripeEvent(stripe, body, signature, webhookSecret);
    },
  };
}

async function createClient({ apiKey, connect }: StripeOptions) {
  // Loaded on first use, because it is large and few requests need it.
  const [{ default: StripeClient }, { webhookSecret, ...address }] = await Promise.all([
    import('stripe'),
    connect(),
  ]);
  const stripe = new StripeClient(apiKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...address,
  });
  return { stripe, webhookSecret };
}

/** Applies even if the provider asks us to wait before a retry. */
async function withinLimit<T>(call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const problem = `the payment provider did not respond within ${LIMIT_MS} ms`;
  const timer = setTimeout(() => late.reject(new Error(problem)), LIMIT_MS);
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
