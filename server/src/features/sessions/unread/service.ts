import type { UserContext } from '../../../core/context.ts';
import { invalid } from '../../../core/errors.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import type { ListAllSessions, MarkRead } from '../schema.ts';
import { getSession } from '../service.ts';
import type { SessionRow } from '../store.ts';
import {
  listSessionsAcross,
  saveAllRead,
  saveReadMark,
  saveThreadMark,
  setBackReadMark,
  setBackThreadMark,
  type SessionsAcross,
} from './store.ts';

export function listAllSessions(
  ctx: UserContext,
  { page, limit, status, unread }: ListAllSessions,
): Promise<SessionsAcross> {
  const archived = status === 'ARCHIVED';
  return listSessionsAcross(ctx, { page, limit, archived, unreadOnly: unread });
}

/** A read mark belongs to its reader, so it also moves in archived sessions. */
export async function markRead(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  { messageId, parentMessageId }: MarkRead,
): Promise<SessionRow> {
  const { projectId } = await getSession(ctx, slug, sessionId);
  const isSaved = parentMessageId
    ? await saveThreadMark(ctx, sessionId, { messageId, parentMessageId })
    : await saveReadMark(ctx, sessionId, messageId);
  if (!isSaved) throw notHere(parentMessageId ? 'thread' : 'session');
  const { userId } = ctx.actor;
  const mark = { userId, sessionId, messageId, parentMessageId };
  await prepareFor(ctx, { type: 'session.reading', ...mark });
  emit(ctx, { type: 'session.read', projectId, sessionId, userId });
  return getSession(ctx, slug, sessionId);
}

/** The message and everything after it, in the session or, if it is a reply, in its thread. */
export async function markUnread(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  messageId: string,
): Promise<SessionRow> {
  const { projectId } = await getSession(ctx, slug, sessionId);
  const isSaved =
    (await setBackReadMark(ctx, sessionId, messageId)) ||
    (await setBackThreadMark(ctx, sessionId, messageId));
  if (!isSaved) throw notHere('session');
  emit(ctx, { type: 'session.read', projectId, sessionId, userId: ctx.actor.userId });
  return getSession(ctx, slug, sessionId);
}

export async function markAllRead(ctx: UserContext): Promise<void> {
  await saveAllRead(ctx);
  const { userId } = ctx.actor;
  await prepareFor(ctx, { type: 'sessions.reading', userId });
  emit(ctx, { type: 'sessions.read', userId });
}

function notHere(place: 'session' | 'thread'): Error {
  const message = `is not a message in this ${place}`;
  return invalid([{ location: 'body.messageId', code: 'invalid_value', message }]);
}
