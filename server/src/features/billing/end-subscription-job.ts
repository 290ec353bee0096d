import { z } from 'zod';
import type { Payments } from '../../adapters/payments/payments.ts';

/** The job that ends a second subscription of an org, and pays it back. */
export const END_SUBSCRIPTION = 'end-subscription';

const Payload = z.object({ orgId: z.string(), subscriptionId: z.string() });

/** The same keys on every attempt: cancelled once, refunded once. */
export async function endSubscription(
  payments: Payments | undefined,
  payload: unknown,
): Promise<void> {
  const { subscriptionId } = Payload.parse(payload);
  if (!payments) throw new Error('there is no payment provider to end a subscription with');
  await payments.cancelAndRefund(subscriptionId, `atrium-end-${subscriptionId}`);
}
