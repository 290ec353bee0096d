import {
  withTransaction,
  type PersonActor,
  type PersonContext,
  type Role,
  type WebContext,
} from '../../../context.ts';
import type { Queryable } from '../../../db/types.ts';
import { notFound } from '../../../errors.ts';
import { rememberSignedIn } from '../sign-in/known-device.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { findPerson, listOrgsOf, updateName, updatePassword } from '../store.ts';
import { endOtherSessions } from '../web-sessions/service.ts';
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

/** Null if nobody is signed in. The app calls this when it starts, so it also renews the cookies. */
export async function openApp({ actor, ...ctx }: WebContext): Promise<Profile | null> {
  if (actor.kind !== 'user') return null;
  ctx.cookie.renew();
  await rememberSignedIn(ctx, actor);
  return profileOf(ctx.db, actor.userId);
}

export async function renamePerson(ctx: PersonContext, name: string): Promise<void> {
  await updateName(ctx.db, ctx.actor.userId, name);
  await announcePerson(ctx, ctx.db, ctx.actor.userId);
}

/** Each of their orgs shows them in its member list. */
export async function announcePerson(
  { hints }: Pick<WebContext, 'hints'>,
  db: Queryable,
  userId: string,
): Promise<void> {
  for (const { id: orgId } of await listOrgsOf(db, userId)) {
    hints.announce({ db, orgId }, { type: 'org.updated' });
  }
}

/** Signs the person out everywhere else. */
export async function setPassword(
  ctx: SignedIn,
  input: { password: string; currentPassword?: string | undefined },
): Promise<void> {
  await requireFreshSignIn(ctx, input.currentPassword);
  const hash = await hashPassword(input.password);
  await withTransaction(ctx, async ({ db }) => {
    await holdAccount(ctx, db);
    await updatePassword(db, ctx.actor.userId, hash);
    await endOtherSessions(ctx, db);
  });
}
