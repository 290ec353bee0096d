import type { Context, WebContext } from '../../../context.ts';
import { withTransaction } from '../../../context.ts';
import type { Queryable } from '../../../db/database.ts';
import { emailKey } from '../../../email.ts';
import { AppError, notFound } from '../../../errors.ts';
import { isInvited } from '../../org/service.ts';
import { createAccountWithOrg, findOrCreateUser, findPersonByEmail } from '../service.ts';
import { endCurrentSession, openSession } from '../web-sessions/service.ts';
import { countAttempt } from './attempts.ts';
import { LINK_MAIL } from './link-mail-job.ts';
import { createLink, linkUrl, redeemLink } from './links.ts';
import { isPassword } from './passwords.ts';
import { findPassword, notePreviousEmail } from './store.ts';

/**
 * The same work for every address, known or not: whether there is anybody to write to is looked up by
 * the job, out of sight of who asks.
 */
export async function requestSignInLink(
  ctx: WebContext,
  input: { email: string; returnTo?: string | undefined },
): Promise<void> {
  await countAttempt(ctx, 'link', input.email);
  await withTransaction(ctx, async ({ db }) => {
    const linkId = await createLink(db, ctx.tokens, { purpose: 'sign-in', ...input });
    ctx.jobs.enqueue(db, { kind: LINK_MAIL, payload: { linkId } });
  });
}

/** Signs in whoever has the address; answers with the person's id. */
export function signInByLink(ctx: WebContext, token: string): Promise<string> {
  return withTransaction(ctx, async ({ db }) => {
    const { email } = await redeemLink(db, 'sign-in', token);
    const userId = await admitPerson(ctx, db, email);
    if (userId === undefined) throw notFound('This link');
    await startSession(ctx, db, userId, true);
    return userId;
  });
}

export async function signInByPassword(
  ctx: WebContext,
  { email, password }: { email: string; password: string },
): Promise<string> {
  await countAttempt(ctx, 'password', email);
  const found = await findPassword(ctx.db, emailKey(email));
  if (!(await isPassword(found?.passwordHash, password)) || !found) {
    throw new AppError('AUTH_ERROR', 'The e-mail address or the password is wrong.');
  }
  await withTransaction(ctx, ({ db }) => startSession(ctx, db, found.userId, false));
  return found.userId;
}

export async function signOut(ctx: WebContext): Promise<void> {
  await endCurrentSession(ctx);
  ctx.cookie.clear();
}

/** Longer than by mail: a link that a person hands over is not opened as soon as it is made. */
export const HANDED_OVER_MINUTES = 24 * 60;

/** For the command line and the first start, which have no mail to send it by. */
export async function makeSignInUrl(
  { db, tokens }: Pick<Context, 'tokens'> & { db: Queryable },
  publicUrl: string,
  link: { email: string; lifeMinutes: number },
): Promise<string> {
  const id = await createLink(db, tokens, { purpose: 'sign-in', ...link });
  return linkUrl(tokens, publicUrl, { id, purpose: 'sign-in' });
}

/** What the address was, for the note that is sent there. */
export function noteChangedEmail(db: Queryable, linkId: string, previous: string): Promise<void> {
  return notePreviousEmail(db, linkId, previous);
}

/** The person with the address; made, if nobody has it and it may have an account. */
async function admitPerson(
  { settings }: WebContext,
  db: Queryable,
  email: string,
): Promise<string | undefined> {
  const known = await findPersonByEmail(db, email);
  if (known) return known.id;
  if (await isInvited(db, email)) return (await findOrCreateUser(db, email)).id;
  if (settings.signup !== 'open') return undefined;
  const name = email.slice(0, email.indexOf('@'));
  const org = { name: `${name}'s workspace`, ownerEmail: email };
  const { owner } = await createAccountWithOrg(db, org);
  return owner.id;
}

/** A new session each time, in the place of the one that the browser had. */
async function startSession(
  ctx: WebContext,
  db: Queryable,
  userId: string,
  openedByLink: boolean,
): Promise<void> {
  await endCurrentSession(ctx, db);
  const { userAgent } = ctx.client;
  ctx.cookie.set(await openSession(db, { userId, openedByLink, userAgent }));
}
