import type { UserContext } from '../../../core/context.ts';
import { invalidValue } from '../../../core/errors.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import type { MarkRead } from '../schema.ts';
import { getSession } from '../service.ts';
import type { SessionRow } from '../store.ts';
import {
  saveAllRead,
  saveReadMark,
  saveThreadMark,
  setBackReadMark,
  setBackThreadMark,
} from './store.ts';

export { listAllSessions } from './store.ts';

/** A read mark belongs to its reader, so it also moves in archived sessions. */
export async function markRead(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  { messageId, parentMessageId }: MarkRead,
): Promise<SessionRow> {
  await getSession(ctx, slug, sessionId);
  const isSaved = parentMessageId
    ? await saveThreadMark(ctx, sessionId, { messageId, parentMessageId })
    : await saveReadMark(ctx, sessionId, messageId);
  if (!isSaved) throw notHere(parentMessageId ? 'thread' : 'session');
  const { userId } = ctx.actor;
  const mark = { userId, sessionId, messageId, parentMessageId };
  await prepareFor(ctx, { type: 'session.reading', ...mark });
  return emitRead(ctx, await getSession(ctx, slug, sessionId));
}

/** The message and everything after it, in the session or, if it is a reply, in its thread. */
export async function markUnread(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  messageId: string,
): Promise<SessionRow> {
  await getSession(ctx, slug, sessionId);
  const isSaved =
    (await setBackReadMark(ctx, sessionId, messageId)) ||
    (await setBackThreadMark(ctx, sessionId, messageId));
  if (!isSaved) throw notHere('session');
  return emitRead(ctx, await getSession(ctx, slug, sessionId));
}

/** Pages of the same person take the count from the hint. */
function emitRead(ctx: UserContext, session: SessionRow): SessionRow {
  const { id: sessionId, projectId, unreadCount } = session;
  const { userId } = ctx.actor;
  emit(ctx, { type: 'session.read', projectId, sessionId, userId, unreadCount });
  return session;
}

export async function markAllRead(ctx: UserContext): Promise<void> {
  await saveAllRead(ctx);
  const { userId } = ctx.actor;
  await prepareFor(ctx, { type: 'sessions.reading', userId });
  emit(ctx, { type: 'sessions.read', userId });
}

function notHere(place: 'session' | 'thread'): Error {
  const message = `is not a message in this ${place}`;
  return invalidValue('body.messageId', message);
}
