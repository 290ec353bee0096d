import type { Context, WebContext } from '../../../core/context.ts';
import { withTransaction } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { isUnambiguous } from '../../../core/email.ts';
import { AppError, conflict, notFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import {
  acceptInvitation,
  findInvitedEmail,
  holdEmailedInvitation,
} from '../../org/invitations/service.ts';
import { createAccountWithOrg, findOrCreateUser, findPersonByEmail } from '../service.ts';
import { insertUser } from '../store.ts';
import { endCurrentSession, openSession } from '../web-sessions/service.ts';
import { countAttempt } from './attempts.ts';
import { rememberDevice } from './known-device.ts';
import { LINK_MAIL } from './link-mail-job.ts';
import { createLink, linkUrl, redeemLink } from './links.ts';
import { isPassword } from './passwords.ts';
import { findPassword, holdPerson, type Credential } from './store.ts';

/**
 * Does the same work for every address. The job checks whether anyone is to be emailed, so the caller
 * can't find out.
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

/** Returns the person's id. */
export function signInByLink(ctx: WebContext, token: string): Promise<string> {
  return withTransaction(ctx, async ({ db }) => {
    const { email } = await redeemLink(db, 'sign-in', token);
    const userId = await admitPerson(ctx, db, email);
    if (userId === undefined) throw notFound('This link');
    const credential = { userId, email, passwordHash: null };
    if (!(await startSession(ctx, db, credential))) throw notFound('This link');
    return userId;
  });
}

export async function signInByPassword(
  ctx: WebContext,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const attempt = await countAttempt(ctx, 'password', email);
  const found = await findPassword(ctx.db, email);
  if (!(await isPassword(found?.passwordHash, password)) || !found) throw wrongPassword();
  const isOpen = await withTransaction(ctx, ({ db }) => startSession(ctx, db, { ...found, email }));
  if (!isOpen) throw wrongPassword();
  await attempt.forgive();
  return found.userId;
}

function wrongPassword(): AppError {
  return new AppError('AUTH_ERROR', 'Wrong email address or password.');
}

/**
 * For an invited address without an account: the emailed token proves the address, so no second email is
 * needed. If there is an account, the token alone signs nobody in.
 */
export function signUpByInvitation(
  ctx: WebContext,
  { token, name }: { token: string; name: string },
): Promise<string> {
  return withTransaction(ctx, async (inner) => {
    const { email } = await holdEmailedInvitation(inner.db, token);
    const person = await insertUser(inner.db, { id: newId(), email, name });
    if (!person) {
      throw conflict('account_exists', `${email} already has an account. Sign in to accept.`);
    }
    const userId = person.id;
    const nothing = { role: null, keyId: null, webSessionId: null, scopes: new Set<string>() };
    await acceptInvitation({ ...inner, actor: { kind: 'user', userId, email, ...nothing } }, token);
    await startSession(ctx, inner.db, { userId, email, passwordHash: null });
    return userId;
  });
}

export async function signOut(ctx: WebContext): Promise<void> {
  await endCurrentSession(ctx);
  ctx.cookie.clear();
}

/** Longer than for emailed links: an operator has to pass the link on first. */
export const HANDED_OVER_MINUTES = 24 * 60;

/** For the command line and the first start, which print the link instead of emailing it. */
export async function makeSignInUrl(
  { db, tokens }: Pick<Context, 'tokens'> & { db: Queryable },
  publicUrl: string,
  link: { email: string; lifeMinutes: number },
): Promise<string> {
  const id = await createLink(db, tokens, { purpose: 'sign-in', ...link });
  return linkUrl(tokens, publicUrl, { id, purpose: 'sign-in' });
}

/** Finds the person, or creates one if the address may have an account. */
async function admitPerson(
  { settings, models }: WebContext,
  db: Queryable,
  email: string,
): Promise<string | undefined> {
  const known = await findPersonByEmail(db, email);
  if (known) return known.id;
  const invited = await findInvitedEmail(db, email);
  if (invited !== undefined) return (await findOrCreateUser(db, invited)).id;
  if (settings.signup !== 'open' || !isUnambiguous(email)) return undefined;
  const name = email.slice(0, email.indexOf('@'));
  return createAccountWithOrg({ db, models }, { email, orgName: `${name}'s workspace` });
}

/**
 * Always a new session; it replaces the browser's current one. False if the link or password is no longer
 * valid.
 */
async function startSession(
  ctx: WebContext,
  db: Queryable,
  credential: Credential,
): Promise<boolean> {
  const owner = await holdPerson(db, credential);
  if (!owner) return false;
  await endCurrentSession(ctx, db);
  const { userAgent } = ctx.client;
  const openedByLink = credential.passwordHash === null;
  ctx.cookie.set(await openSession(db, { userId: owner.userId, openedByLink, userAgent }));
  rememberDevice(ctx, owner);
  return true;
}
