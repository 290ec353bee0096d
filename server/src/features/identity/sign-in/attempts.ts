import type { WebContext } from '../../../context.ts';
import { emailKey } from '../../../email.ts';
import { AppError } from '../../../errors.ts';

const WINDOW_MS = 15 * 60_000;
const ADDRESS_SHARE = 4;

/**
 * Counts one try, of this client and for this address, whoever has it. Mail to one address and guesses
 * at one password are bounded by the second, guesses at many by the first.
 */
export async function countAttempt(
  ctx: Pick<WebContext, 'client' | 'limiter' | 'settings'>,
  kind: 'link' | 'password',
  email: string,
): Promise<void> {
  const { signInAttempts } = ctx.settings;
  await take(ctx, `${kind}:client:${ctx.client.ip}`, signInAttempts);
  const perAddress = Math.max(1, Math.floor(signInAttempts / ADDRESS_SHARE));
  await take(ctx, `${kind}:address:${emailKey(email)}`, perAddress);
}

async function take(
  { limiter }: Pick<WebContext, 'limiter'>,
  bucket: string,
  limit: number,
): Promise<void> {
  const { allowed, resetMs } = await limiter.take(`sign-in:${bucket}`, limit, WINDOW_MS);
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new AppError(
    'RATE_LIMIT',
    `Too many attempts; try again in ${Math.ceil(seconds / 60)} min.`,
    { limit, kind: 'sign-in' },
    seconds,
  );
}
