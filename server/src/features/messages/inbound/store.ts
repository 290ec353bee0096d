import type { Queryable } from '../../../db/types.ts';
import { ANSWERS_IN_PROJECT } from '../../../access/serving-agents.ts';
import { SERVES_PROJECT } from '../../../access/serving-mcp-servers.ts';
import { MOST_PARTICIPANTS } from '../../../access/readable.ts';
import { keysInSession } from '../search/keys.ts';
import { peopleIn, type ExternalAuthor, type PendingReply, type PostingAccess } from '../store.ts';

type Place = { db: Queryable; orgId: string };

/** Who answers in the Project, and whom the handles name. People outside can't ask MCP servers. */
export async function findMentionable(
  { db, orgId }: Place,
  projectId: string,
  handles: readonly string[],
  isMember: boolean,
): Promise<Pick<PostingAccess, 'answeringNames' | 'people'> | undefined> {
  const [row] = await db.query<Pick<PostingAccess, 'answeringNames' | 'people'>>(
    `SELECT ARRAY(
         SELECT i.mention_slug FROM mcp_servers i WHERE i.org_id = $1 AND $4 AND ${SERVES_PROJECT}
         UNION ALL SELECT a.slug FROM agents a WHERE a.org_id = $1 AND ${ANSWERS_IN_PROJECT}
       ) AS "answeringNames", ${peopleIn('$3')}
     FROM projects p WHERE p.org_id = $1 AND p.id = $2`,
    [orgId, projectId, handles, isMember],
  );
  return row;
}

export interface ArrivedRow {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  authorUserId: string | null;
  externalAuthor: ExternalAuthor;
  body: string;
  mentions: string[];
  mentionedUserIds: string[];
  pendingReplies: PendingReply[];
  createdAt: string;
  hashes: number[];
}

const IS_LIVE = `s.archived_at IS NULL AND EXISTS (SELECT 1 FROM projects p
  WHERE p.org_id = $1 AND p.id = s.project_id AND p.archived_at IS NULL)`;

/** At the session's next position. The first statement locks the session. False if it takes no messages. */
export async function insertArrived({ db, orgId }: Place, message: ArrivedRow): Promise<boolean> {
  const { sessionId, parentMessageId, createdAt } = message;
  const placed = db.query(
    `UPDATE sessions s SET last_position = s.last_position + 1, last_message_at = $3,
       version = s.version + 1,
       participant_user_ids = CASE WHEN $4::text IS NULL OR $4 = ANY (s.participant_user_ids)
           OR cardinality(s.participant_user_ids) >= ${MOST_PARTICIPANTS}
         THEN s.participant_user_ids ELSE array_append(s.participant_user_ids, $4) END
     WHERE s.org_id = $1 AND s.id = $2 AND ${IS_LIVE} RETURNING 1 AS placed`,
    [orgId, sessionId, createdAt, message.authorUserId],
  );
  const counted = db.query(
    `UPDATE messages SET reply_count = reply_count + 1
     WHERE org_id = $1 AND id = $2 AND parent_message_id IS NULL`,
    [orgId, parentMessageId],
  );
  const inserted = db.query(
    `INSERT INTO messages (org_id, id, session_id, position, parent_message_id, author_kind,
       author_user_id, external_author, body, mentions, mentioned_user_ids, status, citations,
       tool_calls, pending_replies, created_at, search_keys)
     SELECT s.org_id, $3, s.id, s.last_position, $4, 'USER', $5, $6::jsonb, $7, $8, $9, 'COMPLETED',
       '[]', '[]', $10::jsonb, $11, ${keysInSession('$12', '$2', '$11::timestamptz')}
     FROM sessions s WHERE s.org_id = $1 AND s.id = $2 AND ${IS_LIVE}`,
    [
      orgId,
      sessionId,
      message.id,
      parentMessageId,
      message.authorUserId,
      JSON.stringify(message.externalAuthor),
      message.body,
      message.mentions,
      message.mentionedUserIds,
      JSON.stringify(message.pendingReplies),
      createdAt,
      message.hashes,
    ],
  );
  const [rows] = await Promise.all([placed, counted, inserted]);
  return rows.length === 1;
}

/** Who reacted in a chat system: their id there, and here if they are a member. */
export interface Reactor {
  externalId: string;
  userId: string | null;
}

export async function saveReaction(
  { db, orgId }: Place,
  messageId: string,
  emoji: string,
  { externalId, userId }: Reactor,
): Promise<void> {
  await db.query(
    `INSERT INTO external_reactions (org_id, message_id, emoji, author_id, user_id)
     SELECT m.org_id, m.id, $3, $4, $5 FROM messages m
     WHERE m.org_id = $1 AND m.id = $2 AND m.deleted_at IS NULL
     ON CONFLICT (org_id, message_id, emoji, author_id) DO NOTHING`,
    [orgId, messageId, emoji, externalId, userId],
  );
}

export async function dropReaction(
  { db, orgId }: Place,
  messageId: string,
  emoji: string,
  { externalId }: Pick<Reactor, 'externalId'>,
): Promise<void> {
  await db.query(
    `DELETE FROM external_reactions
     WHERE org_id = $1 AND message_id = $2 AND emoji = $3 AND author_id = $4`,
    [orgId, messageId, emoji, externalId],
  );
}

export function listExternalReactions(
  { db, orgId }: Place,
  messageId: string,
): Promise<{ emoji: string; externalId: string }[]> {
  return db.query(
    `SELECT emoji, author_id AS "externalId" FROM external_reactions
     WHERE org_id = $1 AND message_id = $2`,
    [orgId, messageId],
  );
}

/** What `@model` stands for in a session. */
export async function findChoices({ db, orgId }: Place, sessionId: string): Promise<Choices> {
  const [row] = await db.query<Choices>(
    `SELECT s.model, s.default_agent AS "defaultAgent", p.default_agent AS "projectDefaultAgent"
     FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE s.org_id = $1 AND s.id = $2`,
    [orgId, sessionId],
  );
  return row ?? { model: null, defaultAgent: null, projectDefaultAgent: null };
}

interface Choices {
  model: string | null;
  defaultAgent: string | null;
  projectDefaultAgent: string | null;
}
