import type { UserContext } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { isoTime, utcTime } from '../../db/utc-time.ts';
import { isViolation } from '../../db/violations.ts';
import { ANSWERS_IN_PROJECT } from '../agents/serving.ts';
import { SERVES_PROJECT } from '../mcp/serving.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../projects/standing.ts';
import { CAN_READ_SESSION, WITH_CALLER } from '../sessions/readable.ts';

/** A call to a tool, as the reply shows it. */
export interface ToolCall {
  /** The MCP server's mentionSlug, or an agent's own slug for a built-in tool. */
  server: string;
  name: string;
  arguments: unknown;
  result: string;
  isError: boolean;
  latencyMs: number;
}

/** A mention that was asked and has not been answered yet. */
export interface PendingReply {
  mention: string;
  /** When the message was posted, or the retry requested. ISO 8601, because it is stored in JSON. */
  startedAt: string;
  /** True if the reply replaces a FAILED or STOPPED one. */
  retry?: boolean;
  /** True if somebody has stopped it. */
  stop?: boolean;
}

export interface MessageRow {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  authorKind: 'USER' | 'AGENT';
  authorUserId: string | null;
  agentSlug: string | null;
  inReplyToMessageId: string | null;
  body: string;
  mentions: string[];
  status: 'COMPLETED' | 'FAILED' | 'STOPPED';
  error: { code: string; message: string } | null;
  citations: { memoryId: string }[];
  toolCalls: ToolCall[];
  pendingReplies: PendingReply[];
  reactions: { emoji: string; userIds: string[] }[];
  replyCount: number;
  usage: { inputTokens: number; outputTokens: number; credits: number; latencyMs: number } | null;
  /** This and the other times as `utcTime` has them: lists are long. */
  createdAt: string;
  editedAt: string | null;
  deletedAt: string | null;
}

/** The Project and session in a path, with the caller's rights there. */
export interface SessionAccess {
  projectId: string;
  projectArchivedAt: Date | null;
  isMember: boolean;
  /** Null if the Project has no session that the caller may read by this id. */
  foundSessionId: string | null;
  archivedAt: Date | null;
}

const ACCESS_COLUMNS = `p.id AS "projectId", p.archived_at AS "projectArchivedAt",
  ${IS_PROJECT_MEMBER} AS "isMember",
  s.id AS "foundSessionId", s.archived_at AS "archivedAt"`;

// The commit that lands a reply clears its entry. A deletion, or a process of an older version, leaves
// the entry, so what no longer needs a reply is filtered out here, as `isOpen` in agents/answer.ts does.
const PENDING_REPLIES = `CASE WHEN m.pending_replies = '[]' OR m.deleted_at IS NOT NULL THEN '[]'
    ELSE (SELECT coalesce(jsonb_agg(pending.entry ORDER BY pending.nth), '[]')
      FROM jsonb_array_elements(m.pending_replies) WITH ORDINALITY AS pending (entry, nth)
      WHERE NOT EXISTS (SELECT 1 FROM messages reply
        WHERE reply.org_id = m.org_id AND reply.in_reply_to_message_id = m.id
          AND reply.mention = pending.entry->>'mention'
          AND NOT (pending.entry->>'retry' IS NOT NULL AND reply.status <> 'COMPLETED'
            AND reply.deleted_at IS NULL))) END`;

/** The reactions to a message in their table, as lists show them. */
const reactionsInTable = (orgId: string, messageId: string) => `coalesce((
    SELECT jsonb_agg(jsonb_build_object('emoji', grouped.emoji, 'userIds', grouped.user_ids)
      ORDER BY grouped.first)
    FROM (SELECT r.emoji, jsonb_agg(r.user_id ORDER BY r.position) AS user_ids, min(r.position) AS first
      FROM reactions r WHERE r.org_id = ${orgId} AND r.message_id = ${messageId} GROUP BY r.emoji) grouped
  ), '[]')`;

// The message has no copy if it is from release 0.1.0, and an old one if a process of it changed something.
const REACTIONS = `CASE WHEN m.reactions IS NOT NULL AND NOT EXISTS (SELECT 1
      FROM unversioned_changes u
      WHERE u.org_id = m.org_id AND u.session_id = m.session_id AND u.message_id = m.id)
    THEN m.reactions ELSE ${reactionsInTable('m.org_id', 'm.id')} END`;

export const MESSAGE_COLUMNS = `m.id, m.session_id AS "sessionId", m.parent_message_id AS "parentMessageId",
  m.author_kind AS "authorKind", m.author_user_id AS "authorUserId", m.agent_slug AS "agentSlug",
  m.in_reply_to_message_id AS "inReplyToMessageId", m.body, m.mentions, m.status, m.error,
  m.citations, m.tool_calls AS "toolCalls", ${PENDING_REPLIES} AS "pendingReplies", ${REACTIONS} AS reactions,
  m.reply_count AS "replyCount", m.usage, ${utcTime('m.created_at')} AS "createdAt",
  ${utcTime('m.edited_at')} AS "editedAt", ${utcTime('m.deleted_at')} AS "deletedAt"`;

/**
 * For every write that changes what a list shows. Locks are taken in the order reactions, session,
 * messages, so this comes before a message is updated: a post to a thread locks both too.
 */
export const RAISE_VERSION =
  'UPDATE sessions SET version = version + 1 WHERE org_id = $1 AND id = $2';

export interface PostingAccess extends SessionAccess {
  /** The parent, if it is a top-level message of this session. */
  parentId: string | null;
  /** Of the agents and the MCP servers that answer in the Project. */
  answeringNames: string[];
}

/** Where a message is posted to. */
export interface PostingPlace {
  slug: string;
  sessionId: string;
  parentMessageId: string | null;
}

export async function findPostingAccess(
  ctx: UserContext,
  { slug, sessionId, parentMessageId }: PostingPlace,
): Promise<PostingAccess | undefined> {
  const [row] = await ctx.db.sharedRead<PostingAccess>(
    `SELECT ${ACCESS_COLUMNS}, parent.id AS "parentId", ARRAY(
         SELECT i.mention_slug FROM mcp_servers i WHERE i.org_id = $1 AND ${SERVES_PROJECT}
         UNION ALL SELECT a.slug FROM agents a WHERE a.org_id = $1 AND ${ANSWERS_IN_PROJECT}
       ) AS "answeringNames"
     FROM projects p
     LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
       AND ${CAN_READ_SESSION}
     LEFT JOIN messages parent ON parent.org_id = s.org_id AND parent.session_id = s.id
       AND parent.id = $6 AND parent.parent_message_id IS NULL
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, sessionId, parentMessageId],
  );
  return row;
}

export interface NewMessage {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  body: string;
  mentions: string[];
  pendingReplies: PendingReply[];
  createdAt: string;
}

/**
 * Takes the session's next position and inserts, in the last statement before COMMIT. This keeps the lock
 * on the session short and the positions in commit order. Whoever may not post there gets no position,
 * which violates NOT NULL; `refuse` then finds out why.
 */
export function insertAtCommit(
  ctx: UserContext & { db: Transaction },
  slug: string,
  message: NewMessage,
  { refuse, posted }: { refuse: (db: Queryable) => Promise<Error>; posted: (at: Posted) => void },
): void {
  ctx.db.atCommit(
    `WITH place AS (
       UPDATE sessions s SET last_position = s.last_position + 1, last_message_at = $9,
         version = s.version + 1, participant_user_ids = ${WITH_CALLER}
       FROM projects p
       WHERE s.org_id = $1 AND s.id = $5 AND s.archived_at IS NULL
         AND p.org_id = $1 AND p.id = s.project_id AND p.slug = $4 AND p.archived_at IS NULL
         AND ${CAN_READ_SESSION}
       RETURNING s.last_position, s.project_id
     ), thread AS (
       UPDATE messages SET reply_count = reply_count + 1
       WHERE org_id = $1 AND id = $7 AND session_id = $5 AND parent_message_id IS NULL RETURNING 1
     )
     INSERT INTO messages (org_id, id, session_id, position, parent_message_id, author_kind,
       author_user_id, body, mentions, status, citations, tool_calls, pending_replies, created_at)
     VALUES ($1, $6, $5,
       (SELECT last_position FROM place WHERE $7::text IS NULL OR EXISTS (SELECT 1 FROM thread)),
       $7, 'USER', $2, $8, $10, 'COMPLETED', '[]', '[]', $11, $9)
     RETURNING (SELECT project_id FROM place) AS "projectId"`,
    [
      ...callerOf(ctx),
      slug,
      message.sessionId,
      message.id,
      message.parentMessageId,
      message.body,
      isoTime(message.createdAt),
      message.mentions,
      JSON.stringify(message.pendingReplies),
    ],
    {
      explain: (error, db) => (isViolation(error, 'noPosition') ? refuse(db) : undefined),
      returned: ([row]) => posted(row as Posted),
      last: true,
    },
  );
}

export interface Posted {
  projectId: string;
}

/** A message by id, if the caller may read it in this Project. Undefined if there is no such Project. */
export async function findMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ access: SessionAccess; message: MessageRow | undefined } | undefined> {
  const [row] = await ctx.db.sharedRead<SessionAccess & MessageRow>(
    `SELECT ${MESSAGE_COLUMNS}, ${ACCESS_COLUMNS} FROM projects p
     LEFT JOIN (messages m JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id)
       ON m.org_id = p.org_id AND m.id = $5 AND s.project_id = p.id AND ${CAN_READ_SESSION}
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, messageId],
  );
  return row && { access: row, message: row.id === null ? undefined : row };
}

/** Undefined if it was deleted meanwhile. */
export async function updateBody(
  { db, orgId }: { db: Queryable; orgId: string },
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
  { body, mentions }: { body: string; mentions: string[] },
): Promise<MessageRow | undefined> {
  const [, updated, [row]] = await Promise.all([
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET body = $3, mentions = $4, edited_at = now()
       WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING 1 AS updated`,
      [orgId, id, body, mentions],
    ),
    db.query<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.org_id = $1 AND m.id = $2`,
      [orgId, id],
    ),
  ]);
  return updated.length === 1 ? row : undefined;
}

/** Erases content and reactions. False if it was deleted before. */
export async function eraseMessage(
  { db, orgId }: { db: Queryable; orgId: string },
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): Promise<boolean> {
  const [, , erased] = await Promise.all([
    db.query('DELETE FROM reactions WHERE org_id = $1 AND message_id = $2', [orgId, id]),
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET body = '', mentions = '{}', citations = '[]', tool_calls = '[]',
         error = NULL, pending_replies = '[]', reactions = '[]', deleted_at = now()
       WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING 1 AS erased`,
      [orgId, id],
    ),
  ]);
  return erased.length === 1;
}

export interface ReactionRow {
  messageId: string;
  emoji: string;
  userId: string;
  createdAt: Date;
}

/** Returns the caller's existing reaction if there is one with this emoji. */
export async function upsertReaction(
  ctx: UserContext & { db: Transaction },
  message: Pick<MessageRow, 'id' | 'sessionId'>,
  emoji: string,
): Promise<ReactionRow> {
  const [row] = await ctx.db.query<ReactionRow>(
    `INSERT INTO reactions (org_id, message_id, emoji, user_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id, message_id, emoji, user_id) DO UPDATE SET emoji = excluded.emoji
     RETURNING message_id AS "messageId", emoji, user_id AS "userId", created_at AS "createdAt"`,
    [ctx.orgId, message.id, emoji, ctx.actor.userId],
  );
  listReactionsAtCommit(ctx, message);
  return row as ReactionRow;
}

export function deleteReaction(
  ctx: UserContext & { db: Transaction },
  message: Pick<MessageRow, 'id' | 'sessionId'>,
  emoji: string,
): void {
  ctx.db.atCommit(
    'DELETE FROM reactions WHERE org_id = $1 AND message_id = $2 AND emoji = $3 AND user_id = $4',
    [ctx.orgId, message.id, emoji, ctx.actor.userId],
  );
  listReactionsAtCommit(ctx, message);
}

/**
 * Copies the table's reactions to the message, where lists read them. The session's lock makes those who
 * react at the same time take turns, and each statement sees what was committed before it.
 */
function listReactionsAtCommit(
  { db, orgId }: { db: Transaction; orgId: string },
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): void {
  db.atCommit(RAISE_VERSION, [orgId, sessionId], { last: true });
  db.atCommit(
    `UPDATE messages SET reactions = ${reactionsInTable('$1', '$2')}
     WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [orgId, id],
    { last: true },
  );
}
