import type { UserContext } from '../../../core/context.ts';
import type { OrgTransaction } from '../../../db/types.ts';
import { utcTime } from '../../../db/utc-time.ts';
import { BEFORE_IT, PAGE_BYTES, readInPieces } from '../../../lists/page-bytes.ts';
import { callerOf } from '../../../access/standing.ts';
import { FOLLOWED_SESSIONS, TAKES_PART, unreadReply } from '../../../access/unread.ts';
import type { ListThreads, Thread } from '../schema.ts';
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow } from '../store.ts';

/**
 * From now on, the author of a reply and the author of the first message take part in the thread. Once
 * they do, this writes nothing. It comes after the reply, so that everybody locks the session first.
 */
export function joinThreadAtCommit(
  { db, orgId }: OrgTransaction,
  reply: {
    sessionId: string;
    parentMessageId: string;
    /** Null if they are not a member. */
    authorUserId: string | null;
  },
): void {
  db.atCommit(
    `INSERT INTO thread_marks AS mark (org_id, user_id, parent_message_id, session_id, takes_part,
       position)
     SELECT $1::text, member.user_id, parent.id, parent.session_id, true,
       greatest(seen.position, started.position, 0)
     FROM messages parent
     JOIN memberships member ON member.org_id = $1 AND member.user_id IN ($2, parent.author_user_id)
     LEFT JOIN read_marks seen ON seen.org_id = $1 AND seen.session_id = parent.session_id
       AND seen.user_id = member.user_id
     LEFT JOIN followed_sessions started ON started.org_id = $1
       AND started.session_id = parent.session_id AND started.user_id = member.user_id
     WHERE parent.org_id = $1 AND parent.id = $3
     ON CONFLICT (org_id, user_id, parent_message_id)
       DO UPDATE SET takes_part = true WHERE NOT mark.takes_part`,
    [orgId, reply.authorUserId, reply.parentMessageId],
    { order: 'last', lock: reply.sessionId },
  );
}

/** The first message of a thread, and what is said about the thread. */
export type ThreadRow = MessageRow &
  Pick<Thread, 'session' | 'project' | 'unreadCount' | 'lastReplyAt'>;

type FoundRow = ThreadRow & { total: number; parentId: string; bytes: number };

const MOST_COUNTED = 100;

const threadOrder = (alias: string) =>
  `${alias}.unread > 0 DESC, ${alias}.last_reply_at DESC, ${alias}.parent_message_id`;

/** Those that the caller takes part in, in sessions that they follow: unread ones first, then by their last reply. */
export async function listThreads(
  ctx: UserContext,
  { page, limit, unread }: ListThreads,
): Promise<{ items: ThreadRow[]; total: number }> {
  const rows = await ctx.db.query<FoundRow>(
    `WITH listed AS MATERIALIZED (
       SELECT t.parent_message_id, last.created_at AS last_reply_at, s.id AS session_id, s.project_id,
         s.name, s.title,
         CASE WHEN last.position > t.position THEN (SELECT count(*) FROM (
           SELECT 1 FROM messages reply WHERE ${unreadReply('place.since')}
           LIMIT ${MOST_COUNTED}) unread) ELSE 0 END AS unread
       FROM ${FOLLOWED_SESSIONS} AND s.archived_at IS NULL
       JOIN thread_marks t ON ${TAKES_PART} AND t.session_id = s.id
       JOIN LATERAL (SELECT reply.position, reply.created_at FROM messages reply
         WHERE reply.org_id = $1 AND reply.parent_message_id = t.parent_message_id
           AND reply.inactive_branch_id IS NULL
         ORDER BY reply.position DESC LIMIT 1) last ON last.position > t.position OR NOT $4
     ), wanted AS (SELECT * FROM listed WHERE unread > 0 OR NOT $4)
     SELECT ${MESSAGE_COLUMNS}, counted.total, page.parent_message_id AS "parentId", page.bytes,
       page.unread AS "unreadCount", ${utcTime('page.last_reply_at')} AS "lastReplyAt",
       json_build_object('id', page.session_id, 'name', page.name, 'title', page.title) AS session,
       json_build_object('id', p.id, 'slug', p.slug, 'name', p.name) AS project
     FROM (SELECT count(*) AS total FROM wanted) counted
     LEFT JOIN (SELECT page.*, ${MESSAGE_BYTES} AS bytes, sum(${MESSAGE_BYTES}) OVER (
         ORDER BY ${threadOrder('page')} ${BEFORE_IT}) AS before_it
       FROM (SELECT * FROM wanted ORDER BY ${threadOrder('wanted')} LIMIT $5 OFFSET $6) page
       JOIN messages m ON m.org_id = $1 AND m.id = page.parent_message_id) page ON true
     LEFT JOIN messages m ON m.org_id = $1 AND m.id = page.parent_message_id
       AND coalesce(page.before_it, 0) < ${PAGE_BYTES}
     LEFT JOIN projects p ON p.org_id = $1 AND p.id = page.project_id
     ORDER BY ${threadOrder('page')}`,
    [...callerOf(ctx), unread, limit, (page - 1) * limit],
  );
  const listed = rows.filter(({ parentId }) => parentId !== null);
  await addParents(ctx, listed);
  return { items: listed, total: rows[0]?.total ?? 0 };
}

/** To the threads whose first message did not fit. */
async function addParents({ db, orgId }: UserContext, listed: FoundRow[]): Promise<void> {
  const left = listed.filter(({ id }) => id === null);
  const found = await readInPieces(
    left,
    ({ bytes }) => bytes,
    (piece) =>
      db.query<MessageRow>(
        `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.org_id = $1 AND m.id = ANY ($2)`,
        [orgId, piece.map(({ parentId }) => parentId)],
      ),
  );
  const byId = new Map(found.map((message) => [message.id, message]));
  for (const thread of left) Object.assign(thread, byId.get(thread.parentId));
}
