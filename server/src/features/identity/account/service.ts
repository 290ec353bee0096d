import { withTransaction, type PersonActor, type Role, type WebContext } from '../../../context.ts';
import type { Queryable } from '../../../db/database.ts';
import { emailKey } from '../../../email.ts';
import { conflict, invalid, notFound } from '../../../errors.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import { EMAIL_CHANGED_MAIL, LINK_MAIL } from '../sign-in/link-mail-job.ts';
import { createLink, redeemLink } from '../sign-in/links.ts';
import { hashPassword, isPassword } from '../sign-in/passwords.ts';
import { noteChangedEmail } from '../sign-in/service.ts';
import {
  findPasswordHash,
  findPerson,
  listOrgsOf,
  lockEmail,
  updateEmail,
  updateName,
  updatePassword,
} from '../store.ts';
import { cameByLink, endOtherSessions } from '../web-sessions/service.ts';

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
  // The one last used may be lost by now.
  const last = orgs.find(({ id }) => id === lastOrgId) ?? orgs[0];
  return { userId, email, name, hasPassword, orgs, lastOrgId: last?.id ?? null };
}

export async function renamePerson(ctx: SignedIn, name: string): Promise<void> {
  await updateName(ctx.db, ctx.actor.userId, name);
  await announcePerson(ctx, ctx.db);
}

/** In each of their orgs the list of members shows them. */
async function announcePerson({ hints, actor }: SignedIn, db: Queryable): Promise<void> {
  for (const { id: orgId } of await listOrgsOf(db, actor.userId)) {
    hints.announce({ db, orgId }, { type: 'org.updated' });
  }
}

/** Whoever else may have been signed in as this person is not any more. */
export async function setPassword(
  ctx: SignedIn,
  input: { password: string; currentPassword?: string | undefined },
): Promise<void> {
  const { userId } = ctx.actor;
  await requireCurrentPassword(ctx, input.currentPassword);
  const hash = await hashPassword(input.password);
  await withTransaction(ctx, async ({ db }) => {
    await updatePassword(db, userId, hash);
    await endOtherSessions(ctx, db);
  });
}

/** A browser left open is not enough to take the account over. */
async function requireCurrentPassword(ctx: SignedIn, given: string | undefined): Promise<void> {
  const hash = await findPasswordHash(ctx.db, ctx.actor.userId);
  if (hash === null || (await cameByLink(ctx))) return;
  const location = 'body.currentPassword';
  if (given === undefined) {
    const message = 'is needed: give the password you have, or sign in by a link first';
    throw invalid([{ location, code: 'required', message }]);
  }
  await countAttempt(ctx, 'password', ctx.actor.email);
  if (await isPassword(hash, given)) return;
  throw invalid([{ location, code: 'wrong_password', message: 'is not your password' }]);
}

/** The same work whether or not somebody has the address: the job finds out, and then sends nothing. */
export async function requestEmailChange(ctx: SignedIn, email: string): Promise<void> {
  await countAttempt(ctx, 'link', email);
  const { userId } = ctx.actor;
  await withTransaction(ctx, async ({ db }) => {
    const linkId = await createLink(db, ctx.tokens, { purpose: 'email-change', email, userId });
    ctx.jobs.enqueue(db, { kind: LINK_MAIL, payload: { linkId } });
  });
}

export function confirmEmailChange(ctx: SignedIn, token: string): Promise<void> {
  const { userId } = ctx.actor;
  return withTransaction(ctx, async ({ db }) => {
    const link = await redeemLink(db, 'email-change', token, userId);
    const previous = await lockEmail(db, userId);
    if (!(await updateEmail(db, userId, link.email, emailKey(link.email)))) {
      throw conflict('email_taken', 'Somebody else has this address by now.');
    }
    if (previous === link.email) return;
    await announcePerson(ctx, db);
    await noteChangedEmail(db, link.id, previous);
    ctx.jobs.enqueue(db, { kind: EMAIL_CHANGED_MAIL, payload: { linkId: link.id } });
  });
}
