import { ConfigError } from './config-error.ts';
import { serviceUrl } from './values.ts';
import type { Variables } from './variables.ts';

const PRICED_PLANS = ['pro', 'team', 'enterprise'];
const PRICED_INTERVALS = ['monthly', 'annual'];

export function stripe({ read, readSecret }: Variables) {
  /** If not set: the sandbox or, in production, no payments. */
  const secretKey = readSecret('STRIPE_SECRET_KEY');
  const webhookSecret = readSecret('STRIPE_WEBHOOK_SECRET');
  const apiBase = serviceUrl('STRIPE_API_BASE', read('STRIPE_API_BASE'), ['http:', 'https:']);
  if (secretKey !== undefined && webhookSecret === undefined) {
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET',
      'is required with STRIPE_SECRET_KEY: payment events arrive by webhook',
    );
  }
  /** Price ids by `<plan>_<interval>`. */
  const prices: Record<string, string> = {};
  for (const plan of PRICED_PLANS) {
    for (const interval of PRICED_INTERVALS) {
      const id = read(`STRIPE_PRICE_${plan.toUpperCase()}_${interval.toUpperCase()}`);
      if (id !== undefined) prices[`${plan}_${interval}`] = id;
    }
  }
  return { secretKey, webhookSecret, apiBase, prices };
}
