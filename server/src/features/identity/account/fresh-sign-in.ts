import { isSignedIn } from '../../../access/signed-in.ts';
import type { SignedInContext } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { AppError, forbidden, invalid } from '../../../core/errors.ts';
import { countOwnAttempt } from '../sign-in/attempts.ts';
import { isPassword } from '../sign-in/passwords.ts';
import { findPasswordHash, lockEmail } from '../store.ts';
import { isFreshFromLink } from '../web-sessions/store.ts';

/**
 * A stolen cookie or an unlocked computer must not be enough to take over the account: the person gives
 * their password, or has just signed in with an email link.
 */
export async function requireFreshSignIn(
  ctx: SignedInContext,
  currentPassword: string | undefined,
): Promise<void> {
  // Someone who has just signed in with an email link has proved that the address is theirs.
  if (await isFreshFromLink(ctx.db, ctx.actor.webSessionId)) return;
  await requireSignedIn(ctx, ctx.db);
  const hash = await findPasswordHash(ctx.db, ctx.actor.userId);
  if (hash === null || currentPassword === undefined) {
    const message =
      hash === null
        ? 'Sign in again with an email link, then repeat this within 10 minutes.'
        : 'Enter your current password, or sign in again with an email link.';
    throw forbidden('fresh_sign_in', message);
  }
  const attempt = await countOwnAttempt(ctx, ctx.actor.webSessionId ?? '');
  if (await isPassword(hash, currentPassword)) return attempt.forgive();
  const message = 'is not your current password';
  throw invalid([{ location: 'body.currentPassword', code: 'wrong_password', message }]);
}

/**
 * Locks the account until the transaction ends and returns its address. Undoing an address change ends
 * all sessions, and a session that has ended in the meantime must not change anything.
 */
export async function holdAccount(ctx: SignedInContext, db: Queryable): Promise<string> {
  const email = await lockEmail(db, ctx.actor.userId);
  await requireSignedIn(ctx, db);
  return email;
}

/** The session was there when the request came. */
async function requireSignedIn({ actor }: SignedInContext, db: Queryable): Promise<void> {
  if (await isSignedIn(db, actor)) return;
  throw new AppError('AUTH_ERROR', 'You are signed out. Sign in again.');
}
