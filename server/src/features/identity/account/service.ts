import {
  withTransaction,
  type Context,
  type PersonActor,
  type PersonContext,
  type SignedInContext,
  type SystemActor,
  type WebContext,
} from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { requireFound } from '../../../core/errors.ts';
import { emit } from '../../../events/emit.ts';
import { revokeAllOwnKeys } from '../../keys/service.ts';
import { rememberSignedIn } from '../sign-in/known-device.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { findPerson, listOrgsOf, updateName, updatePassword } from '../store.ts';
import { endOtherSessions, renewCookie } from '../web-sessions/service.ts';
import { noteConfirmed } from '../web-sessions/store.ts';
import { holdAccount, requireFreshSignIn } from './fresh-sign-in.ts';
import type { Profile, SetPassword } from './schema.ts';

export async function profileOf(db: Queryable, userId: string): Promise<Profile> {
  const [person, orgs] = await Promise.all([findPerson(db, userId), listOrgsOf(db, userId)]);
  const { email, name, hasPassword, lastOrgId } = requireFound(person, 'This person');
  // The person may have left the org they used last.
  const last = orgs.find(({ id }) => id === lastOrgId) ?? orgs[0];
  return { userId, email, name, hasPassword, orgs, lastOrgId: last?.id ?? null };
}

/** Null if nobody is signed in. The app calls this when it starts, so it also renews the cookies if it is time. */
export async function openApp({ actor, ...ctx }: WebContext): Promise<Profile | null> {
  if (actor.kind !== 'user') return null;
  await renewCookie({ ...ctx, actor });
  await rememberSignedIn(ctx, actor);
  return profileOf(ctx.db, actor.userId);
}

export async function renamePerson(ctx: PersonContext, name: string): Promise<void> {
  await updateName(ctx.db, ctx.actor.userId, name);
  await emitRenamed(ctx, ctx.actor.userId);
}

/** In each of their orgs, which shows them in its member list. */
export async function emitRenamed(
  ctx: Context<PersonActor | SystemActor, string | null>,
  userId: string,
): Promise<void> {
  for (const { id: orgId } of await listOrgsOf(ctx.db, userId)) {
    emit({ ...ctx, orgId }, { type: 'member.renamed', userId });
  }
}

/** So that this session may create keys for a while. */
export async function confirmSignIn(ctx: SignedInContext, currentPassword?: string): Promise<void> {
  await requireFreshSignIn(ctx, currentPassword);
  await noteConfirmed(ctx.db, ctx.actor.webSessionId);
}

/** Signs the person out everywhere else. Returns how many of their keys were revoked. */
export async function setPassword(
  ctx: SignedInContext,
  { password, currentPassword, revokeKeys }: SetPassword,
): Promise<number> {
  await requireFreshSignIn(ctx, currentPassword);
  const hash = await hashPassword(password);
  return withTransaction(ctx, async (inner) => {
    const { db } = inner;
    await holdAccount(ctx, db);
    await updatePassword(db, ctx.actor.userId, hash);
    await endOtherSessions(ctx, db);
    return revokeKeys ? (await revokeAllOwnKeys(inner)).length : 0;
  });
}
