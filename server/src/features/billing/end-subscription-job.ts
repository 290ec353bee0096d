import { z } from 'zod';
import type { Payments } from '../../adapters/payments/payments.ts';

/** The job that ends an org's second subscription and refunds it. */
export const END_SUBSCRIPTION = 'end-subscription';

const Payload = z.object({ orgId: z.string(), subscriptionId: z.string() });

/** Every attempt uses the same keys, so it cancels once and refunds once. */
export async function endSubscription(
  payments: Payments | undefined,
  payload: unknown,
): Promise<void> {
  const { subscriptionId } = Payload.parse(payload);
  if (!payments) throw new Error('no payment provider configured; cannot end the subscription');
  await payments.cancelAndRefund(subscriptionId, `atrium-end-${subscriptionId}`);
}
