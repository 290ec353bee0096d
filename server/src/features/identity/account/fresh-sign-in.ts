import type { PersonActor, WebContext } from '../../../context.ts';
import type { Queryable } from '../../../db/types.ts';
import { AppError, forbidden, invalid } from '../../../errors.ts';
import { countOwnAttempt } from '../sign-in/attempts.ts';
import { isPassword } from '../sign-in/passwords.ts';
import { findPasswordHash, lockEmail } from '../store.ts';
import { cameByLink, isSignedIn } from '../web-sessions/service.ts';

type SignedIn = WebContext<PersonActor>;

/**
 * A cookie alone, stolen or left open, must not be enough to take the account over: the person gives
 * their password, or has just come by a link to their address.
 */
export async function requireFreshSignIn(
  ctx: SignedIn,
  currentPassword: string | undefined,
): Promise<void> {
  if (await cameByLink(ctx)) return;
  const hash = await findPasswordHash(ctx.db, ctx.actor.userId);
  if (hash === null || currentPassword === undefined) {
    const message =
      hash === null
        ? 'Sign in again with a link to your address, then do this within 10 minutes.'
        : 'Give your current password, or sign in again with a link to your address.';
    throw forbidden('fresh_sign_in', message);
  }
  const attempt = await countOwnAttempt(ctx, ctx.actor.webSessionId ?? '');
  if (await isPassword(hash, currentPassword)) return attempt.forgive();
  throw invalid([
    {
      location: 'body.currentPassword',
      code: 'wrong_password',
      message: 'is not your current password',
    },
  ]);
}

/**
 * Locks the account until the transaction ends, and answers with its address. Undoing a change of the
 * address ends all sessions: one that ended meanwhile must not change anything any more.
 */
export async function holdAccount({ actor }: SignedIn, db: Queryable): Promise<string> {
  const email = await lockEmail(db, actor.userId);
  if (await isSignedIn(db, actor)) return email;
  throw new AppError('AUTH_ERROR', 'You are signed out; sign in again.');
}
