import { randomBytes } from 'node:crypto';
import { hashToken } from '../../../adapters/secrets/tokens.ts';
import type { SignedInContext, WebContext } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { notFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import {
  deleteAllSessions,
  deleteOtherSessions,
  deleteSession,
  insertSession,
  noteCookieSent,
} from './store.ts';

export { listSessions } from './store.ts';

/** The browser keeps the token; the database has only its hash. */
export async function openSession(
  db: Queryable,
  session: { userId: string; openedByLink: boolean; userAgent: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertSession(db, { id: newId(), tokenHash: hashToken(token), ...session });
  return token;
}

export async function endSession(ctx: SignedInContext, sessionId: string): Promise<void> {
  const ended = await deleteSession(ctx.db, ctx.actor.userId, sessionId);
  if (!ended) throw notFound('This session');
  ctx.hints.recheck(ctx, ctx.actor.userId);
  if (sessionId === ctx.actor.webSessionId) ctx.cookie.clear();
}

/** Ends the session of this request, if there is one. */
export async function endCurrentSession(ctx: WebContext, db: Queryable = ctx.db): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== 'user' || actor.webSessionId === null) return;
  await deleteSession(db, actor.userId, actor.webSessionId);
  ctx.hints.recheck({ db }, actor.userId);
}

export async function endOtherSessions(ctx: SignedInContext, db: Queryable): Promise<void> {
  await deleteOtherSessions(db, ctx.actor.userId, ctx.actor.webSessionId);
  ctx.hints.recheck({ db }, ctx.actor.userId);
}

export async function endAllSessions(
  ctx: WebContext,
  db: Queryable,
  userId: string,
): Promise<void> {
  await deleteAllSessions(db, userId);
  ctx.hints.recheck({ db }, userId);
  if (ctx.actor.kind === 'user' && ctx.actor.userId === userId) ctx.cookie.clear();
}

/**
 * Sends the cookie again if it was last sent a day ago or more. Not each time: a late response would
 * replace the cookie of whoever has signed in meanwhile.
 */
export async function renewCookie({ db, actor, cookie }: SignedInContext): Promise<void> {
  if (await noteCookieSent(db, actor.webSessionId)) cookie.renew();
}
