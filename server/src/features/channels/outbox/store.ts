import type { MappingRow } from '../mappings/store.ts';
import type { OrgDb, OrgTransaction } from '../../../db/types.ts';
import { OUTGOING_FILES, type OutgoingFile } from './files/store.ts';

/** Whether messages go from the session to the channel, now or once it is repaired. */
const SENDS = `c.status <> 'PAUSED' AND c.direction <> 'IN'`;

/**
 * Sent with COMMIT: the message has changed. What was written before the session was mapped is not there, and
 * stays away. A message that is new will be collected, but its old text may be on its way by then.
 */
export function addToOutboxAtCommit(
  { db, orgId }: OrgTransaction,
  { id, sessionId }: { id: string; sessionId: string },
): void {
  db.atCommit(
    `INSERT INTO channel_outbox AS waiting (org_id, mapping_id, message_id)
     SELECT $1::text, c.id, m.id FROM channel_mappings c
     JOIN messages m ON m.org_id = $1 AND m.id = $3
     WHERE c.org_id = $1 AND c.session_id = $2 AND ${SENDS}
       AND (m.position > c.collected_position
         OR EXISTS (SELECT 1 FROM channel_outbox o
           WHERE o.org_id = $1 AND o.mapping_id = c.id AND o.message_id = m.id)
         OR EXISTS (SELECT 1 FROM channel_messages known
           WHERE known.org_id = $1 AND known.mapping_id = c.id AND known.message_id = m.id))
     ON CONFLICT (org_id, mapping_id, message_id) DO UPDATE SET changes = waiting.changes + 1`,
    [orgId, sessionId, id],
    { order: 'last' },
  );
}

/** The messages that brought the file to a channel have to be brought up to date there. */
export async function addUsersToOutbox({ db, orgId }: OrgDb, fileId: string): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO channel_outbox AS waiting (org_id, mapping_id, message_id)
     SELECT $1::text, sent.mapping_id, sent.message_id FROM channel_files sent
     JOIN channel_mappings c ON c.org_id = $1 AND c.id = sent.mapping_id AND ${SENDS}
     WHERE sent.org_id = $1 AND sent.file_id = $2 AND sent.external_id IS NOT NULL
     ORDER BY sent.mapping_id, sent.message_id
     ON CONFLICT (org_id, mapping_id, message_id) DO UPDATE SET changes = waiting.changes + 1
     RETURNING 1 AS added`,
    [orgId, fileId],
  );
  return rows.length > 0;
}

/** So many at a time that nobody else waits for long. */
const COLLECTED_AT_ONCE = 500;

/**
 * Puts what was written in the session since the last time into the outbox. A position is taken in the commit
 * of its message, under the session's lock, so nothing appears below one that was read.
 */
export async function collectNew(
  { db, orgId }: OrgTransaction,
  mappingId: string,
): Promise<{ isComplete: boolean }> {
  const [row] = await db.query<{ sessionId: string; from: number; last: number }>(
    `SELECT s.id AS "sessionId", c.collected_position AS "from", s.last_position AS last
     FROM channel_mappings c JOIN sessions s ON s.org_id = $1 AND s.id = c.session_id
     WHERE c.org_id = $1 AND c.id = $2 AND ${SENDS}
     FOR NO KEY UPDATE OF c`,
    [orgId, mappingId],
  );
  if (!row || row.last <= row.from) return { isComplete: true };
  const to = Math.min(row.last, row.from + COLLECTED_AT_ONCE);
  await Promise.all([
    db.query(
      `INSERT INTO channel_outbox (org_id, mapping_id, message_id)
       SELECT m.org_id, $2, m.id FROM messages m
       WHERE m.org_id = $1 AND m.session_id = $3 AND m.position > $4 AND m.position <= $5
         AND NOT EXISTS (SELECT 1 FROM channel_messages theirs WHERE theirs.org_id = $1
           AND theirs.mapping_id = $2 AND theirs.message_id = m.id AND theirs.own_id IS NULL)
       ON CONFLICT (org_id, mapping_id, message_id) DO NOTHING`,
      [orgId, mappingId, row.sessionId, row.from, to],
    ),
    db.query('UPDATE channel_mappings SET collected_position = $3 WHERE org_id = $1 AND id = $2', [
      orgId,
      mappingId,
      to,
    ]),
  ]);
  return { isComplete: to === row.last };
}

/** All that was written until now still goes there, once messages go there again. */
export async function collectRest({ db, orgId }: OrgTransaction, mappingId: string): Promise<void> {
  for (let isComplete = false; !isComplete;) {
    ({ isComplete } = await collectNew({ db, orgId }, mappingId));
  }
}

/** A message that has to be brought up to date in the channel, with what is there now. */
export interface OutgoingRow {
  messageId: string;
  changes: number;
  triedAt: Date | null;
  createdAt: Date;
  sessionId: string;
  projectSlug: string;
  ownId: string;
  body: string;
  /** How long ago it was written. */
  ageMs: number;
  /** Those that are attached to it here, in order. */
  files: OutgoingFile[];
  isDeleted: boolean;
  authorName: string;
  /** The first message of its thread there. */
  threadId: string | null;
  /** Those that people here reacted with. */
  emojis: string[];
  /** Null if it is not there yet. */
  externalId: string | null;
  /** Whether it was written there, so that only reactions can be changed. */
  isTheirs: boolean;
  isGone: boolean;
  textHash: string | null;
  emojisThere: string[];
}

/** A reply has an id there before it lands here: it appears while it is written. */
export const OWN_ID = `CASE WHEN m.mention IS NULL THEN m.id
  ELSE m.in_reply_to_message_id || ':' || m.mention END`;

export function replyOwnId(reply: { questionId: string; mention: string }): string {
  return `${reply.questionId}:${reply.mention}`;
}

/** The ids of the first ones, in the order of the session. */
export async function listOutgoing(
  { db, orgId }: OrgDb,
  mappingId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT m.id FROM channel_outbox o
     JOIN channel_mappings c ON c.org_id = $1 AND c.id = o.mapping_id AND ${SENDS}
     JOIN messages m ON m.org_id = $1 AND m.id = o.message_id
     WHERE o.org_id = $1 AND o.mapping_id = $2 ORDER BY m.position LIMIT $3`,
    [orgId, mappingId, limit],
  );
  return rows.map(({ id }) => id);
}

export async function findOutgoing(
  { db, orgId }: OrgDb,
  mappingId: string,
  messageId: string,
): Promise<OutgoingRow | undefined> {
  const [row] = await db.query<OutgoingRow>(
    `SELECT o.message_id AS "messageId", o.changes, o.tried_at AS "triedAt",
       m.created_at AS "createdAt", m.session_id AS "sessionId", p.slug AS "projectSlug", ${OWN_ID} AS "ownId", m.body,
       ${OUTGOING_FILES}, (extract(epoch FROM now() - m.created_at) * 1000)::float8 AS "ageMs",
       m.deleted_at IS NOT NULL AS "isDeleted",
       coalesce(u.name, a.name, m.agent_slug, m.external_author->>'name') AS "authorName",
       thread.external_id AS "threadId",
       ARRAY(SELECT DISTINCT r.emoji FROM reactions r
         WHERE r.org_id = $1 AND r.message_id = m.id ORDER BY r.emoji) AS emojis,
       coalesce(ours.external_id, theirs.external_id) AS "externalId",
       theirs.external_id IS NOT NULL AS "isTheirs",
       coalesce(ours.deleted_at, theirs.deleted_at) IS NOT NULL AS "isGone",
       ours.text_hash AS "textHash",
       coalesce(ours.emojis, theirs.emojis, '{}') AS "emojisThere"
     FROM channel_outbox o
     JOIN channel_mappings c ON c.org_id = $1 AND c.id = $2 AND ${SENDS}
     JOIN projects p ON p.org_id = $1 AND p.id = c.project_id
     JOIN messages m ON m.org_id = $1 AND m.id = o.message_id
     LEFT JOIN users u ON u.id = m.author_user_id
     LEFT JOIN agents a ON a.org_id = $1 AND a.slug = m.agent_slug
     LEFT JOIN channel_messages ours
       ON ours.org_id = $1 AND ours.mapping_id = $2 AND ours.own_id = ${OWN_ID}
     LEFT JOIN channel_messages theirs ON theirs.org_id = $1 AND theirs.mapping_id = $2
       AND theirs.message_id = m.id AND theirs.own_id IS NULL
     LEFT JOIN channel_messages thread ON thread.org_id = $1 AND thread.mapping_id = $2
       AND thread.message_id = m.parent_message_id AND thread.deleted_at IS NULL
     WHERE o.org_id = $1 AND o.mapping_id = $2 AND o.message_id = $3`,
    [orgId, mappingId, messageId],
  );
  return row;
}

/** Before it is posted: whoever comes after this process then knows that it may have arrived. */
export async function markTried(
  { db, orgId }: OrgDb,
  mappingId: string,
  messageId: string,
): Promise<void> {
  await db.query(
    `UPDATE channel_outbox SET tried_at = now()
     WHERE org_id = $1 AND mapping_id = $2 AND message_id = $3 AND tried_at IS NULL`,
    [orgId, mappingId, messageId],
  );
}

/** What is in the channel now. */
export interface Delivered {
  externalId: string;
  ownId: string;
  /** Null while a reply is being written. */
  messageId: string | null;
  threadId: string | null;
  textHash: string | null;
  isGone: boolean;
  emojis: readonly string[];
}

export type ChannelKey = Pick<MappingRow, 'id' | 'connectionId' | 'channelId'>;

export async function saveDelivered(
  { db, orgId }: OrgDb,
  mapping: ChannelKey,
  delivered: Delivered,
): Promise<void> {
  await db.query(
    `INSERT INTO channel_messages AS known (org_id, connection_id, channel_id, external_id, mapping_id,
       message_id, own_id, thread_id, written_at, deleted_at, text_hash, emojis)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $12::timestamptz,
       CASE WHEN $9::boolean THEN $12::timestamptz END, $10, $11)
     ON CONFLICT (org_id, connection_id, channel_id, external_id) DO UPDATE SET
       message_id = coalesce(excluded.message_id, known.message_id), own_id = excluded.own_id,
       deleted_at = excluded.deleted_at, text_hash = excluded.text_hash, emojis = excluded.emojis`,
    [
      orgId,
      mapping.connectionId,
      mapping.channelId,
      delivered.externalId,
      mapping.id,
      delivered.messageId,
      delivered.ownId,
      delivered.threadId,
      delivered.isGone,
      delivered.textHash,
      delivered.emojis,
      new Date(),
    ],
  );
}

/** Of a message that was written there, only our reactions change. */
export async function saveEmojis(
  { db, orgId }: OrgDb,
  mapping: ChannelKey,
  externalId: string,
  emojis: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE channel_messages SET emojis = $5
     WHERE org_id = $1 AND connection_id = $2 AND channel_id = $3 AND external_id = $4`,
    [orgId, mapping.connectionId, mapping.channelId, externalId, emojis],
  );
}

/** Unless it has changed again since it was read. */
export async function removeFromOutbox(
  { db, orgId }: OrgDb,
  mappingId: string,
  { messageId, changes }: Pick<OutgoingRow, 'messageId' | 'changes'>,
): Promise<void> {
  await db.query(
    `DELETE FROM channel_outbox
     WHERE org_id = $1 AND mapping_id = $2 AND message_id = $3 AND changes = $4`,
    [orgId, mappingId, messageId, changes],
  );
}

/** Where a reply that is being written appears. */
export interface UnfinishedPlace {
  askedAt: Date;
  hasLanded: boolean;
  threadId: string | null;
  externalId: string | null;
  agentName: string | null;
  model: string | null;
  defaultAgent: string | null;
  projectDefaultAgent: string | null;
}

/** Undefined if the question was deleted, or is not in this channel. */
export async function findUnfinishedPlace(
  { db, orgId }: OrgDb,
  mappingId: string,
  reply: { questionId: string; mention: string },
): Promise<UnfinishedPlace | undefined> {
  const [row] = await db.query<UnfinishedPlace>(
    `SELECT m.created_at AS "askedAt", thread.external_id AS "threadId", a.name AS "agentName",
       s.model, s.default_agent AS "defaultAgent", p.default_agent AS "projectDefaultAgent",
       there.external_id AS "externalId",
       EXISTS (SELECT 1 FROM messages reply WHERE reply.org_id = $1
         AND reply.in_reply_to_message_id = m.id AND reply.mention = $4) AS "hasLanded"
     FROM channel_mappings c
     JOIN sessions s ON s.org_id = $1 AND s.id = c.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     JOIN messages m ON m.org_id = $1 AND m.session_id = s.id AND m.id = $3
     LEFT JOIN agents a ON a.org_id = $1 AND a.slug = $4
     LEFT JOIN channel_messages there
       ON there.org_id = $1 AND there.mapping_id = $2 AND there.own_id = $5
     LEFT JOIN channel_messages thread ON thread.org_id = $1 AND thread.mapping_id = $2
       AND thread.message_id = m.parent_message_id AND thread.deleted_at IS NULL
     WHERE c.org_id = $1 AND c.id = $2 AND m.deleted_at IS NULL`,
    [orgId, mappingId, reply.questionId, reply.mention, replyOwnId(reply)],
  );
  return row;
}
