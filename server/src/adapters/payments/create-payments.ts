import type { Config } from '../../config/config.ts';
import type { LazySandbox } from './lazy-sandbox.ts';
import { INTERVALS, PAID_PLANS, type Payments } from './payments.ts';
import { createStripePayments, type Connection } from './stripe.ts';

/** Stripe if there is a key, otherwise the sandbox if there is one, otherwise none. */
export function createPayments(
  { stripe }: Pick<Config, 'stripe'>,
  sandbox: LazySandbox | undefined,
): Payments | undefined {
  const { secretKey, webhookSecret, apiBase, prices } = stripe;
  if (secretKey !== undefined) {
    const connection = { webhookSecret, ...(apiBase !== undefined && addressOf(apiBase)) };
    return createStripePayments({
      apiKey: secretKey,
      prices,
      isSandbox: false,
      connect: () => Promise.resolve(connection),
    });
  }
  if (!sandbox) return undefined;
  return createStripePayments({
    apiKey: 'sk_test_sandbox',
    prices: SANDBOX_PRICE_IDS,
    isSandbox: true,
    async connect() {
      const { host, port, webhookSecret: secret } = await sandbox.get();
      return { host, port, protocol: 'http', webhookSecret: secret };
    },
  });
}

const SANDBOX_PRICE_IDS = Object.fromEntries(
  PAID_PLANS.flatMap((plan) =>
    INTERVALS.map((interval) => [`${plan}_${interval}`, `sandbox_${plan}_${interval}`]),
  ),
);

function addressOf(apiBase: string): Omit<Connection, 'webhookSecret'> {
  const { protocol, hostname, port } = new URL(apiBase);
  const isSecure = protocol === 'https:';
  return {
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    protocol: isSecure ? 'https' : 'http',
  };
}
