import type { UserContext } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { isViolation } from '../../db/violations.ts';
import { SERVES_PROJECT } from '../mcp/serving.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../projects/standing.ts';

/** A call to an MCP server's tool, as the reply shows it. */
export interface ToolCall {
  /** The server's mentionSlug. */
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
  /** True if the reply replaces a FAILED one. */
  retry?: boolean;
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
  status: 'COMPLETED' | 'FAILED';
  error: { code: string; message: string } | null;
  citations: { memoryId: string }[];
  toolCalls: ToolCall[];
  pendingReplies: PendingReply[];
  reactions: { emoji: string; count: number; userIds: string[] }[] | null;
  replyCount: number;
  usage: { inputTokens: number; outputTokens: number; credits: number; latencyMs: number } | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
}

/** The Project and session in a path, with the caller's rights there. */
export interface SessionAccess {
  projectId: string;
  projectArchivedAt: Date | null;
  isMember: boolean;
  /** Null if the Project has no such session. */
  foundSessionId: string | null;
  archivedAt: Date | null;
}

const ACCESS_COLUMNS = `p.id AS "projectId", p.archived_at AS "projectArchivedAt",
  ${IS_PROJECT_MEMBER} AS "isMember",
  s.id AS "foundSessionId", s.archived_at AS "archivedAt"`;

const REACTIONS = `(SELECT json_agg(grouped ORDER BY grouped.first) FROM (
    SELECT r.emoji, count(*)::int AS count, array_agg(r.user_id ORDER BY r.position) AS "userIds",
      min(r.position) AS first
    FROM reactions r WHERE r.org_id = m.org_id AND r.message_id = m.id GROUP BY r.emoji) grouped)`;

// The commit that lands a reply clears its entry. A deletion, or a process of an older version, leaves
// the entry, so what no longer needs a reply is filtered out here, as `isOpen` in agents/answer.ts does.
const PENDING_REPLIES = `CASE WHEN m.pending_replies = '[]' OR m.deleted_at IS NOT NULL THEN '[]'
    ELSE (SELECT coalesce(jsonb_agg(pending.entry ORDER BY pending.nth), '[]')
      FROM jsonb_array_elements(m.pending_replies) WITH ORDINALITY AS pending (entry, nth)
      WHERE NOT EXISTS (SELECT 1 FROM messages reply
        WHERE reply.org_id = m.org_id AND reply.in_reply_to_message_id = m.id
          AND reply.mention = pending.entry->>'mention'
          AND NOT (pending.entry->>'retry' IS NOT NULL AND reply.status = 'FAILED'
            AND reply.deleted_at IS NULL))) END`;

const MESSAGE_COLUMNS = `m.id, m.session_id AS "sessionId", m.parent_message_id AS "parentMessageId",
  m.author_kind AS "authorKind", m.author_user_id AS "authorUserId", m.agent_slug AS "agentSlug",
  m.in_reply_to_message_id AS "inReplyToMessageId", m.body, m.mentions, m.status, m.error,
  m.citations, m.tool_calls AS "toolCalls", ${PENDING_REPLIES} AS "pendingReplies", ${REACTIONS} AS reactions,
  m.reply_count AS "replyCount", m.usage, m.created_at AS "createdAt", m.edited_at AS "editedAt",
  m.deleted_at AS "deletedAt"`;

export interface PostingAccess extends SessionAccess {
  /** The parent, if it is a top-level message of this session. */
  parentId: string | null;
  /** Of the MCP servers that serve the Project. */
  integrationSlugs: string[];
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
    `SELECT ${ACCESS_COLUMNS}, parent.id AS "parentId", ARRAY(SELECT i.mention_slug
         FROM mcp_servers i WHERE i.org_id = p.org_id AND ${SERVES_PROJECT}) AS "integrationSlugs"
     FROM projects p
     LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
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
  createdAt: Date;
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
       UPDATE sessions s SET last_position = s.last_position + 1, last_message_at = $9
       FROM projects p
       WHERE s.org_id = $1 AND s.id = $5 AND s.archived_at IS NULL
         AND p.org_id = $1 AND p.id = s.project_id AND p.slug = $4 AND p.archived_at IS NULL
         AND ${IS_PROJECT_MEMBER}
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
      message.createdAt,
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

export interface Window {
  /** Only positions below this message's. */
  before: string | null;
  /** The window with this message in the middle. */
  around: string | null;
  limit: number;
}

export interface MessageWindow {
  access: (SessionAccess & { total: number; cursorPosition: number | null }) | undefined;
  /** Newest first; one more than `limit` if there are older ones. */
  rows: MessageRow[];
}

type WindowRow = MessageRow & SessionAccess & { total: number; cursorPosition: number | null };

/** One query for access, cursor and page. Paging by position is equally fast at any depth. */
export async function listWindow(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  { before, around, limit }: Window,
): Promise<MessageWindow> {
  // Positions have no gaps, so the middle of a window can be computed.
  const newer = around === null ? -1 : Math.floor((limit - 1) / 2);
  const rows = await ctx.db.sharedRead<WindowRow>(
    `SELECT access.*, m.* FROM (
       SELECT ${ACCESS_COLUMNS}, s.last_position AS total, cursor.position AS "cursorPosition"
       FROM projects p
       LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
       LEFT JOIN messages cursor ON cursor.org_id = s.org_id AND cursor.session_id = s.id AND cursor.id = $6
       WHERE p.org_id = $1 AND p.slug = $4
     ) access LEFT JOIN LATERAL (
       SELECT ${MESSAGE_COLUMNS} FROM messages m
       WHERE m.org_id = $1 AND m.session_id = access."foundSessionId" AND access."isMember"
         AND m.position <= coalesce(access."cursorPosition" + $7, access.total)
       ORDER BY m.position DESC LIMIT $8
     ) m ON true`,
    [...callerOf(ctx), slug, sessionId, before ?? around, newer, limit + 1],
  );
  return { access: rows[0], rows: rows.filter((row) => row.id !== null) };
}

/** The same for the replies to one message. */
export async function listThread(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  parentId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<MessageWindow & { parentId: string | null }> {
  const rows = await ctx.db.sharedRead<WindowRow & { parentId: string | null }>(
    `SELECT access.*, m.* FROM (
       SELECT ${ACCESS_COLUMNS}, parent.id AS "parentId", parent.reply_count AS total,
         cursor.position AS "cursorPosition"
       FROM projects p
       LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
       LEFT JOIN messages parent ON parent.org_id = s.org_id AND parent.session_id = s.id
         AND parent.id = $6 AND parent.parent_message_id IS NULL
       LEFT JOIN messages cursor ON cursor.org_id = s.org_id AND cursor.parent_message_id = parent.id
         AND cursor.id = $7
       WHERE p.org_id = $1 AND p.slug = $4
     ) access LEFT JOIN LATERAL (
       SELECT ${MESSAGE_COLUMNS} FROM messages m
       WHERE m.org_id = $1 AND m.parent_message_id = access."parentId" AND access."isMember"
         AND m.position < coalesce(access."cursorPosition", 9223372036854775807)
       ORDER BY m.position DESC LIMIT $8
     ) m ON true`,
    [...callerOf(ctx), slug, sessionId, parentId, before, limit + 1],
  );
  const first = rows[0];
  return {
    access: first,
    parentId: first?.parentId ?? null,
    rows: rows.filter((row) => row.id !== null),
  };
}

/** A message by id, in the Project from the path. Undefined if there is no such Project. */
export async function findMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ access: SessionAccess; message: MessageRow | undefined } | undefined> {
  const [row] = await ctx.db.sharedRead<SessionAccess & MessageRow>(
    `SELECT ${MESSAGE_COLUMNS}, ${ACCESS_COLUMNS} FROM projects p
     LEFT JOIN (messages m JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id)
       ON m.org_id = p.org_id AND m.id = $5 AND s.project_id = p.id
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, messageId],
  );
  return row && { access: row, message: row.id === null ? undefined : row };
}

/** Undefined if it was deleted meanwhile. */
export async function updateBody(
  ctx: UserContext,
  messageId: string,
  { body, mentions }: { body: string; mentions: string[] },
): Promise<MessageRow | undefined> {
  const [row] = await ctx.db.query<MessageRow>(
    `UPDATE messages m SET body = $3, mentions = $4, edited_at = now()
     WHERE m.org_id = $1 AND m.id = $2 AND m.deleted_at IS NULL RETURNING ${MESSAGE_COLUMNS}`,
    [ctx.orgId, messageId, body, mentions],
  );
  return row;
}

/** Erases content and reactions. False if it was deleted before. */
export async function eraseMessage(ctx: UserContext, messageId: string): Promise<boolean> {
  await ctx.db.query('DELETE FROM reactions WHERE org_id = $1 AND message_id = $2', [
    ctx.orgId,
    messageId,
  ]);
  const rows = await ctx.db.query(
    `UPDATE messages SET body = '', mentions = '{}', citations = '[]', tool_calls = '[]', error = NULL,
       pending_replies = '[]', deleted_at = now()
     WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING 1 AS erased`,
    [ctx.orgId, messageId],
  );
  return rows.length === 1;
}

export interface ReactionRow {
  messageId: string;
  emoji: string;
  userId: string;
  createdAt: Date;
}

/** Returns the caller's existing reaction if there is one with this emoji. */
export async function upsertReaction(
  ctx: UserContext,
  messageId: string,
  emoji: string,
): Promise<ReactionRow> {
  const [row] = await ctx.db.query<ReactionRow>(
    `INSERT INTO reactions (org_id, message_id, emoji, user_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id, message_id, emoji, user_id) DO UPDATE SET emoji = excluded.emoji
     RETURNING message_id AS "messageId", emoji, user_id AS "userId", created_at AS "createdAt"`,
    [ctx.orgId, messageId, emoji, ctx.actor.userId],
  );
  return row as ReactionRow;
}

export async function deleteReaction(
  ctx: UserContext,
  messageId: string,
  emoji: string,
): Promise<void> {
  await ctx.db.query(
    'DELETE FROM reactions WHERE org_id = $1 AND message_id = $2 AND emoji = $3 AND user_id = $4',
    [ctx.orgId, messageId, emoji, ctx.actor.userId],
  );
}
