import type { OrgDb, OrgTransaction, Queryable, Transaction } from '../../../db/types.ts';
import { IS_DIRECT } from '../../../access/direct.ts';
import { followersWhere, isFollowed, levelOf } from '../../../access/following.ts';
import { canReadSession } from '../../../access/readable.ts';
import { MOST_REACHED } from '../../../text/group-words.ts';

/** Names the rows of messages that people have yet to be told about. Their record is the message. */
export const LISTENER = 'notifications';
const IS_UNTOLD = `u.org_id = $1 AND u.listener = '${LISTENER}'`;

// Everyone who replied in a thread before message m, found by hopping along an index, so that long threads
// cost no more.
const REPLIERS = `WITH RECURSIVE replier AS (
    (SELECT r.author_user_id AS id FROM messages r
      WHERE r.org_id = $1 AND r.parent_message_id = m.parent_message_id
        AND r.author_user_id IS NOT NULL AND r.position < m.position
      ORDER BY r.author_user_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.author_user_id FROM messages r
      WHERE r.org_id = $1 AND r.parent_message_id = m.parent_message_id
        AND r.author_user_id > replier.id AND r.position < m.position
      ORDER BY r.author_user_id LIMIT 1)
    FROM replier WHERE replier.id IS NOT NULL)
  SELECT replier.id FROM replier`;

const IS_MENTIONED = 'person.user_id = ANY (m.mentioned_user_ids)';

/** What a person writes in a direct conversation is said to everybody in it. */
const IS_SAID_TO_ALL = `(${IS_DIRECT} AND m.author_user_id IS NOT NULL)`;

/** Whom @here or @everyone in message m reaches: followers other than its author. $4: who is there. */
const REACHED = `CASE WHEN m.broadcast IS NULL THEN '{}' ELSE ARRAY(${followersWhere(
  `follower.user_id IS DISTINCT FROM m.author_user_id
    AND (m.broadcast = 'EVERYONE' OR follower.user_id = ANY ($4))`,
  MOST_REACHED,
)}) END`;

const IS_REACHED = 'person.user_id = ANY (called.user_ids)';

/**
 * Mentions always arrive, and so does what is said to all. Replies in threads are for those who follow the session
 * and want to know everything.
 */
const WANTS_TO_KNOW = `(${IS_MENTIONED} OR ${IS_REACHED}
  OR chosen.level <> 'NONE' AND person.user_id = question.author_user_id
  OR chosen.level = 'ALL' AND ${isFollowed('person.user_id')})`;

/** Everybody about these messages, or one person about all that are untold. */
export type Telling = ({ messageIds: readonly string[] } | { userId: string }) & {
  /** Who is there, for messages to those. */
  present: readonly string[];
};

/** A person whom a message concerns. */
interface Concern {
  userId: string;
  id: string;
  kind: string;
  createdAt: Date;
  isMailDue: boolean;
  isQuiet: boolean;
}

/**
 * One row for each person whom a message concerns and who may read it, as far as they want to be told. All
 * processes use one order, so they never wait for each other in a circle. Returns who was told only now.
 */
export function tell(db: Queryable, orgId: string, what: Telling): Promise<string[]> {
  return db.transaction(async (tx) => {
    const concerns = await lockConcerned(tx, orgId, what);
    if (concerns.length === 0) return [];
    const rows = await tx.query<{ userId: string }>(
      `INSERT INTO notifications (org_id, user_id, id, kind, created_at, is_mail_due, is_quiet)
       SELECT $1, told.* FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[],
         $6::boolean[], $7::boolean[]) AS told (user_id, id, kind, created_at, is_mail_due, is_quiet)
       ON CONFLICT (org_id, user_id, created_at, id) DO NOTHING
       RETURNING user_id AS "userId"`,
      [
        orgId,
        concerns.map(({ userId }) => userId),
        concerns.map(({ id }) => id),
        concerns.map(({ kind }) => kind),
        concerns.map(({ createdAt }) => createdAt),
        concerns.map(({ isMailDue }) => isMailDue),
        concerns.map(({ isQuiet }) => isQuiet),
      ],
    );
    return [...new Set(rows.map(({ userId }) => userId))];
  });
}

/**
 * Memberships stay locked until the transaction ends, so that whoever is being removed has nothing left
 * afterwards. Citus refuses to lock rows in an INSERT that selects.
 */
function lockConcerned(tx: Transaction, orgId: string, what: Telling): Promise<Concern[]> {
  return tx.query<Concern>(
    `SELECT person.user_id AS "userId", m.id,
       CASE WHEN person.user_id = question.author_user_id THEN 'AGENT_REPLY'
         WHEN ${IS_MENTIONED} THEN 'MENTION' WHEN ${IS_SAID_TO_ALL} THEN 'DIRECT_MESSAGE'
         WHEN ${IS_REACHED} THEN 'BROADCAST' ELSE 'THREAD_REPLY' END AS kind,
       m.created_at AS "createdAt", chosen.level <> 'NONE' AND (person.email_notifications = 'ALL'
         OR (person.email_notifications = 'MENTIONS' AND (${IS_MENTIONED} OR ${IS_SAID_TO_ALL}))) AS "isMailDue",
       chosen.level = 'NONE' AS "isQuiet"
     FROM owed_events u
     JOIN messages m ON m.org_id = $1 AND m.id = u.record_id
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     LEFT JOIN messages question ON question.org_id = $1 AND question.id = m.in_reply_to_message_id
     CROSS JOIN LATERAL (SELECT ${REACHED} AS user_ids OFFSET 0) called
     CROSS JOIN LATERAL (
       SELECT unnest(m.mentioned_user_ids) AS id UNION SELECT unnest(called.user_ids)
       UNION SELECT question.author_user_id
       UNION SELECT parent.author_user_id FROM messages parent
         WHERE parent.org_id = $1 AND parent.id = m.parent_message_id
       UNION (${REPLIERS})
       UNION SELECT unnest(CASE WHEN ${IS_SAID_TO_ALL} THEN s.participant_user_ids END)
     ) concerned
     JOIN memberships person ON person.org_id = $1 AND person.user_id = concerned.id
     CROSS JOIN LATERAL (SELECT ${levelOf('person.user_id', 's.id')} AS level OFFSET 0) chosen
     WHERE ${IS_UNTOLD} AND ($2::text[] IS NULL OR u.record_id = ANY ($2))
       AND ($3::text IS NULL OR person.user_id = $3) AND person.user_id IS DISTINCT FROM m.author_user_id
       AND ${canReadSession('person.user_id', 'person.role')}
       AND ${WANTS_TO_KNOW}
     ORDER BY person.user_id, m.created_at, m.id
     FOR KEY SHARE OF person`,
    'userId' in what
      ? [orgId, null, what.userId, what.present]
      : [orgId, what.messageIds, null, what.present],
  );
}

export async function hasUntold({ db, orgId }: OrgDb): Promise<boolean> {
  const rows = await db.query(`SELECT 1 AS one FROM owed_events u WHERE ${IS_UNTOLD} LIMIT 1`, [
    orgId,
  ]);
  return rows.length > 0;
}

/** Those of one session, also if another process is at it. They stay locked until the transaction ends. */
export async function lockUntoldOf(
  tx: Transaction,
  orgId: string,
  sessionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT u.record_id AS id FROM owed_events u
     JOIN messages m ON m.org_id = $1 AND m.id = u.record_id AND m.session_id = $2
     WHERE ${IS_UNTOLD} ORDER BY u.record_id LIMIT $3 FOR UPDATE OF u`,
    [orgId, sessionId, limit],
  );
  return rows.map(({ id }) => id);
}

export async function deleteUntold(
  { db, orgId }: OrgTransaction,
  messageIds: readonly string[],
): Promise<void> {
  await db.query(`DELETE FROM owed_events u WHERE ${IS_UNTOLD} AND u.record_id = ANY ($2)`, [
    orgId,
    messageIds,
  ]);
}

/** Across orgs: those in which a process of the last release has left messages in its own table. */
export async function listOrgsWithOldUntold(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(
    '/* all orgs */ SELECT DISTINCT org_id AS "orgId" FROM untold_messages LIMIT 1000',
  );
  return rows.map(({ orgId }) => orgId);
}

export async function takeOldUntold(tx: Transaction, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'DELETE FROM untold_messages WHERE org_id = $1 RETURNING message_id AS id',
    [orgId],
  );
  return rows.map(({ id }) => id);
}
