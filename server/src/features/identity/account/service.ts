import {
  withTransaction,
  type Context,
  type PersonActor,
  type PersonContext,
  type Role,
  type SystemActor,
  type WebContext,
} from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { notFound } from '../../../core/errors.ts';
import { emit } from '../../../events/emit.ts';
import { revokeAllOwnKeys } from '../../keys/service.ts';
import { rememberSignedIn } from '../sign-in/known-device.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { findPerson, listOrgsOf, updateName, updatePassword } from '../store.ts';
import { endOtherSessions, markConfirmed, renewCookie } from '../web-sessions/service.ts';
import { holdAccount, requireFreshSignIn } from './fresh-sign-in.ts';

type SignedIn = WebContext<PersonActor>;

export interface Profile {
  userId: string;
  email: string;
  name: string;
  hasPassword: boolean;
  orgs: { id: string; name: string; role: Role }[];
  lastOrgId: string | null;
}

export async function profileOf(db: Queryable, userId: string): Promise<Profile> {
  const [person, orgs] = await Promise.all([findPerson(db, userId), listOrgsOf(db, userId)]);
  if (!person) throw notFound('This person');
  const { email, name, hasPassword, lastOrgId } = person;
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
export async function confirmSignIn(ctx: SignedIn, currentPassword?: string): Promise<void> {
  await requireFreshSignIn(ctx, currentPassword);
  await markConfirmed(ctx);
}

export interface NewPassword {
  password: string;
  currentPassword?: string | undefined;
  revokesKeys: boolean;
}

/** Signs the person out everywhere else. Returns how many of their keys were revoked. */
export async function setPassword(ctx: SignedIn, input: NewPassword): Promise<number> {
  await requireFreshSignIn(ctx, input.currentPassword);
  const hash = await hashPassword(input.password);
  return withTransaction(ctx, async (inner) => {
    const { db } = inner;
    await holdAccount(ctx, db);
    await updatePassword(db, ctx.actor.userId, hash);
    await endOtherSessions(ctx, db);
    return input.revokesKeys ? (await revokeAllOwnKeys(inner)).length : 0;
  });
}
