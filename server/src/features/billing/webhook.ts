import { WrongSignature } from '../../adapters/payments/payments.ts';
import { conflict, invalidValue } from '../../core/errors.ts';
import { processEvent, type PaymentContext } from './events.ts';

export const STRIPE_WEBHOOK = '/api/webhooks/stripe';

/** Returns after the commit, so the provider gets its confirmation only then. */
export async function receiveStripeEvent(
  ctx: PaymentContext,
  body: Buffer,
  signature: string | string[] | undefined,
): Promise<void> {
  const { payments } = ctx;
  if (!payments) throw conflict('billing_not_configured', 'This server has no payment provider.');
  try {
    const signed = typeof signature === 'string' ? signature : undefined;
    const event = await payments.readEvent(body, signed);
    if (event) await processEvent(ctx, payments, event);
  } catch (error) {
    if (!(error instanceof WrongSignature)) throw error;
    const { message } = error;
    throw invalidValue('header.stripe-signature', message);
  }
}
