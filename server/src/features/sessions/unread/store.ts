import type { UserContext } from '../../../core/context.ts';
import { callerOf } from '../../../access/standing.ts';
import type { ListAllSessions } from '../schema.ts';
import { IS_AMONG_FOLLOWED } from '../../../access/following.ts';
import { LEVEL, SESSION_FIELDS, type SessionRow } from '../store.ts';
import {
  CALLERS_SESSIONS,
  FIRST_UNREAD,
  FOLLOWED_SESSIONS,
  HAS_MARK,
  HAS_NEWS,
  MARKS,
  SEEN_OF_MARK,
  TAKES_PART,
  UNREAD_IN_SEEN,
} from '../../../access/unread.ts';

/** Unread ones first, then the most recently active. Everything comes from one snapshot, in one round trip. */
export async function listAllSessions(
  ctx: UserContext,
  { page, limit, status, followed, unread }: ListAllSessions,
) {
  // Nothing else is unread.
  const from = followed || unread ? FOLLOWED_SESSIONS : CALLERS_SESSIONS;
  const rows = await ctx.db.query<SessionRow & { total: number; unreadTotal: number }>(
    `WITH listed AS MATERIALIZED (
       SELECT s.id, s.position, coalesce(s.last_message_at, s.created_at) AS active_at,
         ${UNREAD_IN_SEEN} AS unread, ${IS_AMONG_FOLLOWED} AS is_followed
       FROM ${from} AND (s.archived_at IS NOT NULL) = $4
       ${MARKS}
       CROSS JOIN LATERAL ${SEEN_OF_MARK} seen
     ), wanted AS (SELECT * FROM listed WHERE unread > 0 OR NOT $5)
     SELECT ${SESSION_FIELDS}, page.unread AS "unreadCount", page.is_followed AS "isFollowed",
       ${LEVEL} AS level, counted.total, counted.unread_total AS "unreadTotal"
     FROM (SELECT (SELECT count(*) FROM wanted) AS total,
       (SELECT coalesce(sum(unread), 0)::bigint FROM listed) AS unread_total) counted
     LEFT JOIN (SELECT * FROM wanted ORDER BY unread > 0 DESC, active_at DESC, position DESC
       LIMIT $6 OFFSET $7) page ON true
     LEFT JOIN sessions s ON s.org_id = $1 AND s.id = page.id
     ORDER BY page.unread > 0 DESC, page.active_at DESC, page.position DESC`,
    [...callerOf(ctx), status === 'ARCHIVED', unread, limit, (page - 1) * limit],
  );
  const { total = 0, unreadTotal = 0 } = rows[0] ?? {};
  return { items: rows.filter(({ id }) => id !== null), total, unreadTotal };
}

/** For a session whose access has been checked. */
export async function findFirstUnread(ctx: UserContext, sessionId: string): Promise<string | null> {
  const [row] = await ctx.db.sharedRead<{ messageId: string | null }>(
    `SELECT ${FIRST_UNREAD} AS "messageId" FROM sessions s WHERE s.org_id = $1 AND s.id = $3`,
    [ctx.orgId, ctx.actor.userId, sessionId],
  );
  return row?.messageId ?? null;
}

/** Moves the caller's mark forward, never back. False if the session has no such message. */
export async function saveReadMark(
  ctx: UserContext,
  sessionId: string,
  messageId: string,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `INSERT INTO read_marks AS mark (org_id, session_id, user_id, position)
     SELECT m.org_id, m.session_id, $2, m.position FROM messages m
     WHERE m.org_id = $1 AND m.session_id = $3 AND m.id = $4
     ON CONFLICT (org_id, session_id, user_id)
       DO UPDATE SET position = greatest(mark.position, excluded.position)
     RETURNING 1 AS saved`,
    [ctx.orgId, ctx.actor.userId, sessionId, messageId],
  );
  return rows.length === 1;
}

/** The same in a thread. False if the message is neither its first nor a reply in it. */
export async function saveThreadMark(
  ctx: UserContext,
  sessionId: string,
  { messageId, parentMessageId }: { messageId: string; parentMessageId: string },
): Promise<boolean> {
  const rows = await ctx.db.query(
    `INSERT INTO thread_marks AS mark (org_id, user_id, parent_message_id, session_id, takes_part,
       position)
     SELECT m.org_id, $2, $5, m.session_id, false, m.position FROM messages m
     WHERE m.org_id = $1 AND m.session_id = $3 AND m.id = $4
       AND (m.parent_message_id = $5 OR m.parent_message_id IS NULL AND m.id = $5)
     ON CONFLICT (org_id, user_id, parent_message_id)
       DO UPDATE SET position = greatest(mark.position, excluded.position)
     RETURNING 1 AS saved`,
    [ctx.orgId, ctx.actor.userId, sessionId, messageId, parentMessageId],
  );
  return rows.length === 1;
}

/** Sets the caller's mark before this message, wherever it was. False if it is not in the session's own list. */
export async function setBackReadMark(
  ctx: UserContext,
  sessionId: string,
  messageId: string,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `INSERT INTO read_marks (org_id, session_id, user_id, position, set_back_at)
     SELECT m.org_id, m.session_id, $2, m.position - 1, $5 FROM messages m
     WHERE m.org_id = $1 AND m.session_id = $3 AND m.id = $4 AND m.parent_message_id IS NULL
     ON CONFLICT (org_id, session_id, user_id)
       DO UPDATE SET position = excluded.position, set_back_at = excluded.set_back_at
     RETURNING 1 AS saved`,
    [ctx.orgId, ctx.actor.userId, sessionId, messageId, ctx.clock.now()],
  );
  if (rows.length === 0) return false;
  // What was said before they followed the session can be unread from now on.
  await ctx.db.query(
    `UPDATE followed_sessions SET position = 0
     WHERE org_id = $1 AND user_id = $2 AND session_id = $3 AND position > 0`,
    [ctx.orgId, ctx.actor.userId, sessionId],
  );
  return true;
}

/** The same for a reply in its thread, which the caller takes part in from then on. */
export async function setBackThreadMark(
  ctx: UserContext,
  sessionId: string,
  messageId: string,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `INSERT INTO thread_marks AS mark (org_id, user_id, parent_message_id, session_id, takes_part,
       position, set_back_at)
     SELECT m.org_id, $2, m.parent_message_id, m.session_id, true, m.position - 1, $5
     FROM messages m
     WHERE m.org_id = $1 AND m.session_id = $3 AND m.id = $4 AND m.parent_message_id IS NOT NULL
     ON CONFLICT (org_id, user_id, parent_message_id)
       DO UPDATE SET takes_part = true, position = excluded.position,
         set_back_at = excluded.set_back_at
     RETURNING 1 AS saved`,
    [ctx.orgId, ctx.actor.userId, sessionId, messageId, ctx.clock.now()],
  );
  return rows.length === 1;
}

/** Everything in what the caller follows, as they see it now. Ordered, so that two requests don't wait for each other. */
export async function saveAllRead(ctx: UserContext): Promise<void> {
  await Promise.all([
    ctx.db.query(
      `INSERT INTO read_marks AS mark (org_id, session_id, user_id, position)
       SELECT $1::text, s.id, $2, s.last_position FROM ${FOLLOWED_SESSIONS}
       LEFT JOIN read_marks mark ON ${HAS_MARK}
       WHERE s.last_position > coalesce(mark.position, 0)
         AND (s.last_message_at >= place.since OR mark.set_back_at >= place.since)
       ORDER BY s.id
       ON CONFLICT (org_id, session_id, user_id)
         DO UPDATE SET position = greatest(mark.position, excluded.position)`,
      callerOf(ctx),
    ),
    ctx.db.query(
      `UPDATE thread_marks mark SET position = greatest(mark.position, (
         SELECT max(reply.position) FROM messages reply
         WHERE reply.org_id = $1 AND reply.parent_message_id = mark.parent_message_id))
       WHERE mark.org_id = $1 AND mark.user_id = $2 AND mark.parent_message_id = ANY (ARRAY(
         SELECT t.parent_message_id FROM thread_marks t
         WHERE ${TAKES_PART} AND ${HAS_NEWS}
           AND t.session_id IN (SELECT s.id FROM ${FOLLOWED_SESSIONS})
         ORDER BY t.parent_message_id FOR UPDATE OF t))`,
      callerOf(ctx),
    ),
  ]);
}
