import { isSignedIn } from '../../access/signed-in.ts';
import type { Context, PersonActor, SystemActor, UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { AppError } from '../../core/errors.ts';
import { emit } from '../../events/emit.ts';
import {
  isLiveKey,
  lockKeyOwner,
  revokeKeysMadeSince,
  revokeKeysOfPerson,
  type RevokedKey,
} from './store.ts';

type Changing<A extends PersonActor | SystemActor> = Omit<Context<A, string | null>, 'db'> & {
  db: Transaction;
};

/** The caller's own keys, in every org. The caller has locked the person. */
export async function revokeAllOwnKeys(ctx: Changing<PersonActor>): Promise<RevokedKey[]> {
  const revoked = await revokeKeysOfPerson(ctx.db, ctx.actor.userId);
  recordRevocations(ctx, revoked, 'password_changed');
  return revoked;
}

/**
 * Every key that somebody made in this person's name since then: their own, those of an org, and those
 * made with any of these. The caller has locked the person.
 */
export async function revokeKeysSince(
  ctx: Changing<SystemActor>,
  userId: string,
  since: Date,
): Promise<RevokedKey[]> {
  const revoked = await revokeKeysMadeSince(ctx.db, userId, since);
  recordRevocations(ctx, revoked, 'email_change_undone');
  return revoked;
}

function recordRevocations(
  ctx: Changing<PersonActor | SystemActor>,
  revoked: readonly RevokedKey[],
  reason: string,
): void {
  for (const { id, orgId, family } of revoked) {
    const type = family === 'v1' ? 'org_key.revoked' : 'key.revoked';
    emit({ ...ctx, orgId }, { type, keyId: id, reason });
  }
}

/**
 * Before a key is created: whoever takes an account back ends its sessions and keys in one transaction, and
 * a key created meanwhile must not survive that.
 */
export async function holdCredential({ actor }: UserContext, tx: Transaction): Promise<void> {
  await lockKeyOwner(tx, actor.userId);
  const isValid =
    actor.keyId === null ? await isSignedIn(tx, actor) : await isLiveKey(tx, actor.keyId);
  if (!isValid) throw new AppError('AUTH_ERROR', 'This session or key has just ended.');
}
