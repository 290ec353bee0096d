import { requireScopes } from '../../access/scopes.ts';
import { withTransaction, type Context, type UserContext } from '../../core/context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { conflict, limitReached, notFound, requireFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { holdCredential } from './account-keys.ts';
import { newSecret } from './secret.ts';
import {
  countLiveKeys,
  expireKey,
  findKey,
  insertKey,
  lockKeysOf,
  revokeKey,
  type KeyOwner,
  type KeyRow,
} from './store.ts';

export { revokeAllOwnKeys, revokeKeysSince } from './account-keys.ts';
export { countKeysOfPerson, listKeys, revokeOrgKeys } from './store.ts';

/** If the response is lost, the old key must still work for the retry. */
const SELF_ROTATION_GRACE_SECONDS = 60;

export interface KeyWithSecret {
  key: KeyRow;
  secret: string;
}

/** The caller's own v2 keys. */
export function myKeys(ctx: UserContext): KeyOwner {
  return { orgId: ctx.orgId, userId: ctx.actor.userId };
}

/** The org's v1 keys. */
export function orgKeys(ctx: Context): KeyOwner {
  return { orgId: ctx.orgId, userId: null };
}

export function createKey(
  ctx: UserContext,
  owner: KeyOwner,
  input: { name: string; scopes: readonly string[] },
): Promise<KeyWithSecret> {
  requireScopes(ctx, input.scopes);
  return withTransaction(ctx, async (inner) => {
    await holdCredential(ctx, inner.db);
    await lockKeysOf(inner.db, owner.orgId);
    await requireRoom(inner.db, owner);
    const made = await mintKey(inner.db, owner, { ...input, createdById: ctx.actor.userId });
    emit(inner, { type: `${kindOf(owner)}.created`, keyId: made.key.id, scopes: input.scopes });
    return made;
  });
}

const MOST_LIVE_KEYS = 50;

/** Each key has its own rate limits, so the number of keys is limited too. */
async function requireRoom(tx: Transaction, owner: KeyOwner): Promise<void> {
  if ((await countLiveKeys(tx, owner)) < MOST_LIVE_KEYS) return;
  const [limit, whose] =
    owner.userId === null
      ? (['keys_per_org', 'This organisation has'] as const)
      : (['keys_per_person', 'You have'] as const);
  const rest = 'Revoke one first. A rotated key counts until it expires.';
  throw limitReached(limit, MOST_LIVE_KEYS, `${whose} ${MOST_LIVE_KEYS} active keys. ${rest}`);
}

/** Checks neither rights nor the limit: for the command line and the first start. */
export async function mintKey(
  db: Queryable,
  owner: KeyOwner,
  input: { name: string; scopes: readonly string[]; createdById: string | null },
): Promise<KeyWithSecret> {
  const family = owner.userId === null ? 'v1' : 'v2';
  const { secret, hash, prefix } = newSecret(family);
  const key = await insertKey(db, owner, { id: newId(), family, prefix, hash, ...input });
  return { key, secret };
}

export function revokeOwnedKey(ctx: Context, owner: KeyOwner, keyId: string): Promise<KeyRow> {
  return withTransaction(ctx, async (inner) => {
    const revoked = await revokeKey(inner.db, owner, keyId);
    if (revoked) {
      emit(inner, { type: `${kindOf(owner)}.revoked`, keyId });
      return revoked;
    }
    return requireFound(await findKey(inner.db, owner, keyId), 'This key');
  });
}

export interface Rotation extends KeyWithSecret {
  replaced: KeyRow;
}

export function rotateKey(
  ctx: UserContext,
  owner: KeyOwner,
  keyId: string,
  gracePeriodSeconds: number,
): Promise<Rotation> {
  return withTransaction(ctx, async (inner) => {
    const grace =
      keyId === ctx.actor.keyId
        ? Math.max(gracePeriodSeconds, SELF_ROTATION_GRACE_SECONDS)
        : gracePeriodSeconds;
    await holdCredential(ctx, inner.db);
    await lockKeysOf(inner.db, owner.orgId);
    const replaced = await expireKey(inner.db, owner, keyId, grace);
    if (!replaced) throw await whyNotRotated(inner, owner, keyId);
    const { name, scopes } = replaced;
    requireScopes(ctx, scopes);
    // Without a grace period the old key has expired by now, so it no longer counts.
    await requireRoom(inner.db, owner);
    const created = await mintKey(inner.db, owner, { name, scopes, createdById: ctx.actor.userId });
    emit(inner, { type: `${kindOf(owner)}.rotated`, keyId, replacedBy: created.key.id });
    return { ...created, replaced };
  });
}

async function whyNotRotated(ctx: Context, owner: KeyOwner, keyId: string): Promise<Error> {
  if (!(await findKey(ctx.db, owner, keyId))) return notFound('This key');
  return conflict(
    'key_inactive',
    'This key was revoked or rotated already. Create a new one instead.',
  );
}

function kindOf(owner: KeyOwner): 'key' | 'org_key' {
  return owner.userId === null ? 'org_key' : 'key';
}
