import type { UserContext } from '../../../context.ts';
import type { Transaction } from '../../../db/types.ts';
import { utcTime } from '../../../db/utc-time.ts';
import { callerOf } from '../../projects/standing.ts';
import { CALLERS_SESSIONS, TAKES_PART, unreadReply } from '../../sessions/unread/counting.ts';
import { MESSAGE_COLUMNS, type MessageRow } from '../store.ts';

/**
 * From now on, the author of a reply and the author of the first message take part in the thread. Once
 * they do, this writes nothing. It comes after the reply, so that everybody locks the session first.
 */
export function joinThreadAtCommit(
  { db, orgId }: { db: Transaction; orgId: string },
  parentMessageId: string,
  /** Null if they are not a member. */
  authorUserId: string | null,
): void {
  db.atCommit(
    `INSERT INTO thread_marks AS mark (org_id, user_id, parent_message_id, session_id, takes_part,
       position)
     SELECT parent.org_id, member.user_id, parent.id, parent.session_id, true,
       coalesce(seen.position, 0)
     FROM messages parent
     JOIN memberships member ON member.org_id = $1 AND member.user_id IN ($2, parent.author_user_id)
     LEFT JOIN read_marks seen ON seen.org_id = $1 AND seen.session_id = parent.session_id
       AND seen.user_id = member.user_id
     WHERE parent.org_id = $1 AND parent.id = $3
     ON CONFLICT (org_id, user_id, parent_message_id)
       DO UPDATE SET takes_part = true WHERE NOT mark.takes_part`,
    [orgId, authorUserId, parentMessageId],
    { last: true, waitsFor: '' },
  );
}

export interface ThreadRow {
  parent: MessageRow;
  session: { id: string; name: string; title: string | null };
  project: { id: string; slug: string; name: string };
  unreadCount: number;
  lastReplyAt: string;
}

type FoundRow = MessageRow &
  Pick<ThreadRow, 'unreadCount' | 'lastReplyAt'> & {
    total: number;
    sessionName: string;
    sessionTitle: string | null;
    projectId: string;
    projectSlug: string;
    projectName: string;
  };

const MOST_COUNTED = 100;

/** Those that the caller takes part in: unread ones first, then by their last reply. */
export async function listThreads(
  ctx: UserContext,
  { page, limit, unreadOnly }: { page: number; limit: number; unreadOnly: boolean },
): Promise<{ items: ThreadRow[]; total: number }> {
  const rows = await ctx.db.query<FoundRow>(
    `WITH listed AS MATERIALIZED (
       SELECT t.parent_message_id, last.created_at AS last_reply_at, s.project_id, s.name, s.title,
         CASE WHEN last.position > t.position THEN (SELECT count(*) FROM (
           SELECT 1 FROM messages reply WHERE ${unreadReply('place.since')}
           LIMIT ${MOST_COUNTED}) unread) ELSE 0 END AS unread
       FROM ${CALLERS_SESSIONS} AND s.archived_at IS NULL
       JOIN thread_marks t ON ${TAKES_PART} AND t.session_id = s.id
       JOIN LATERAL (SELECT reply.position, reply.created_at FROM messages reply
         WHERE reply.org_id = $1 AND reply.parent_message_id = t.parent_message_id
         ORDER BY reply.position DESC LIMIT 1) last ON last.position > t.position OR NOT $4
     ), wanted AS (SELECT * FROM listed WHERE unread > 0 OR NOT $4)
     SELECT ${MESSAGE_COLUMNS}, counted.total, page.unread AS "unreadCount",
       ${utcTime('page.last_reply_at')} AS "lastReplyAt", page.name AS "sessionName",
       page.title AS "sessionTitle", p.id AS "projectId", p.slug AS "projectSlug",
       p.name AS "projectName"
     FROM (SELECT count(*) AS total FROM wanted) counted
     LEFT JOIN (SELECT * FROM wanted ORDER BY unread > 0 DESC, last_reply_at DESC, parent_message_id
       LIMIT $5 OFFSET $6) page ON true
     LEFT JOIN messages m ON m.org_id = $1 AND m.id = page.parent_message_id
     LEFT JOIN projects p ON p.org_id = $1 AND p.id = page.project_id
     ORDER BY page.unread > 0 DESC, page.last_reply_at DESC, page.parent_message_id`,
    [...callerOf(ctx), unreadOnly, limit, (page - 1) * limit],
  );
  const items = rows.filter(({ id }) => id !== null).map(toThread);
  return { items, total: rows[0]?.total ?? 0 };
}

function toThread(row: FoundRow): ThreadRow {
  const { sessionName, sessionTitle, projectId, projectSlug, projectName } = row;
  return {
    parent: row,
    session: { id: row.sessionId, name: sessionName, title: sessionTitle },
    project: { id: projectId, slug: projectSlug, name: projectName },
    unreadCount: row.unreadCount,
    lastReplyAt: row.lastReplyAt,
  };
}
