import type { Queryable, Transaction } from '../../../db/types.ts';
import { canReadSession } from '../../../access/readable.ts';

/** Adds to the commit of a message that people have yet to be told about it. */
export function addUntoldAtCommit(tx: Transaction, orgId: string, messageId: string): void {
  tx.atCommit(
    'INSERT INTO untold_messages (org_id, message_id) VALUES ($1, $2)',
    [orgId, messageId],
    { lock: '' },
  );
}

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

/** Everybody about these messages, or one person about all that are untold. */
export type Telling = { messageIds: readonly string[] } | { userId: string };

/** A person whom a message concerns. */
interface Concern {
  userId: string;
  id: string;
  kind: string;
  createdAt: Date;
  isMailDue: boolean;
}

/**
 * One row for each person whom a message concerns and who may read it, unless they muted the session. All
 * processes use one order, so they never wait for each other in a circle. Returns who was told only now.
 */
export function tell(db: Queryable, orgId: string, what: Telling): Promise<string[]> {
  return db.transaction(async (tx) => {
    const concerns = await lockConcerned(tx, orgId, what);
    if (concerns.length === 0) return [];
    const rows = await tx.query<{ userId: string }>(
      `INSERT INTO notifications (org_id, user_id, id, kind, created_at, is_mail_due)
       SELECT $1, told.* FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[],
         $6::boolean[]) AS told (user_id, id, kind, created_at, is_mail_due)
       ON CONFLICT (org_id, user_id, created_at, id) DO NOTHING
       RETURNING user_id AS "userId"`,
      [
        orgId,
        concerns.map(({ userId }) => userId),
        concerns.map(({ id }) => id),
        concerns.map(({ kind }) => kind),
        concerns.map(({ createdAt }) => createdAt),
        concerns.map(({ isMailDue }) => isMailDue),
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
         WHEN person.user_id = ANY (m.mentioned_user_ids) THEN 'MENTION' ELSE 'THREAD_REPLY' END AS kind,
       m.created_at AS "createdAt", person.email_notifications = 'ALL'
         OR (person.email_notifications = 'MENTIONS'
           AND person.user_id = ANY (m.mentioned_user_ids)) AS "isMailDue"
     FROM untold_messages u
     JOIN messages m ON m.org_id = $1 AND m.id = u.message_id
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     LEFT JOIN messages question ON question.org_id = $1 AND question.id = m.in_reply_to_message_id
     CROSS JOIN LATERAL (
       SELECT unnest(m.mentioned_user_ids) AS id UNION SELECT question.author_user_id
       UNION SELECT parent.author_user_id FROM messages parent
         WHERE parent.org_id = $1 AND parent.id = m.parent_message_id
       UNION (${REPLIERS})
     ) concerned
     JOIN memberships person ON person.org_id = $1 AND person.user_id = concerned.id
     WHERE u.org_id = $1 AND ($2::text[] IS NULL OR u.message_id = ANY ($2))
       AND ($3::text IS NULL OR person.user_id = $3) AND person.user_id IS DISTINCT FROM m.author_user_id
       AND ${canReadSession('person.user_id', 'person.role')}
       AND NOT EXISTS (SELECT 1 FROM muted_sessions muted WHERE muted.org_id = $1
         AND muted.session_id = s.id AND muted.user_id = person.user_id)
     ORDER BY person.user_id, m.created_at, m.id
     FOR KEY SHARE OF person`,
    'userId' in what ? [orgId, null, what.userId] : [orgId, what.messageIds, null],
  );
}

export async function hasUntold(db: Queryable, orgId: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS one FROM untold_messages WHERE org_id = $1 LIMIT 1', [
    orgId,
  ]);
  return rows.length > 0;
}

/** Messages that no other process is telling people about. They stay locked until the transaction ends. */
export async function lockUntold(tx: Transaction, orgId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT message_id AS id FROM untold_messages WHERE org_id = $1
     ORDER BY message_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [orgId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Those of one session, also if another process is at it. They stay locked until the transaction ends. */
export async function lockUntoldOf(
  tx: Transaction,
  orgId: string,
  sessionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT u.message_id AS id FROM untold_messages u
     JOIN messages m ON m.org_id = $1 AND m.id = u.message_id AND m.session_id = $2
     WHERE u.org_id = $1 ORDER BY u.message_id LIMIT $3 FOR UPDATE OF u`,
    [orgId, sessionId, limit],
  );
  return rows.map(({ id }) => id);
}

export async function deleteUntold(
  tx: Transaction,
  orgId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.query('DELETE FROM untold_messages WHERE org_id = $1 AND message_id = ANY ($2)', [
    orgId,
    messageIds,
  ]);
}

/** Across orgs, for a chore. */
export async function listOrgsWithUntold(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(
    '/* all orgs */ SELECT DISTINCT org_id AS "orgId" FROM untold_messages LIMIT 1000',
  );
  return rows.map(({ orgId }) => orgId);
}
