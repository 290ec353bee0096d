import type { UserContext } from '../../context.ts';
import type { Transaction } from '../../db/types.ts';
import { refusing } from '../../db/violations.ts';
import { SERVES_PROJECT } from '../mcp/serving.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../projects/standing.ts';

/** One use of a tool of an MCP server, as the reply shows it. */
export interface ToolCall {
  /** The server's mentionSlug. */
  server: string;
  name: string;
  arguments: unknown;
  result: string;
  isError: boolean;
  latencyMs: number;
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
  reactions: { emoji: string; count: number; userIds: string[] }[] | null;
  replyCount: number;
  usage: { inputTokens: number; outputTokens: number; credits: number; latencyMs: number } | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
}

/** Where a path leads: the Project with the caller's standing, and the session, if it has that one. */
export interface Place {
  projectId: string;
  projectArchivedAt: Date | null;
  isMember: boolean;
  /** Null where the Project has no such session. */
  foundSessionId: string | null;
  archivedAt: Date | null;
}

const PLACE_COLUMNS = `p.id AS "projectId", p.archived_at AS "projectArchivedAt",
  ${IS_PROJECT_MEMBER} AS "isMember",
  s.id AS "foundSessionId", s.archived_at AS "archivedAt"`;

const REACTIONS = `(SELECT json_agg(grouped ORDER BY grouped.first) FROM (
    SELECT r.emoji, count(*)::int AS count, array_agg(r.user_id ORDER BY r.position) AS "userIds",
      min(r.position) AS first
    FROM reactions r WHERE r.org_id = m.org_id AND r.message_id = m.id GROUP BY r.emoji) grouped)`;

const MESSAGE_COLUMNS = `m.id, m.session_id AS "sessionId", m.parent_message_id AS "parentMessageId",
  m.author_kind AS "authorKind", m.author_user_id AS "authorUserId", m.agent_slug AS "agentSlug",
  m.in_reply_to_message_id AS "inReplyToMessageId", m.body, m.mentions, m.status, m.error,
  m.citations, m.tool_calls AS "toolCalls", ${REACTIONS} AS reactions,
  m.reply_count AS "replyCount", m.usage, m.created_at AS "createdAt", m.edited_at AS "editedAt",
  m.deleted_at AS "deletedAt"`;

export interface PostingPlace extends Place {
  /** The parent, if it is a top-level message of this session. */
  parentId: string | null;
  /** Of the MCP servers that serve the Project; null where nobody asked. */
  integrationSlugs: string[] | null;
  now: Date;
}

export async function findPostingPlace(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  parentId: string | null,
  hasMentions: boolean,
): Promise<PostingPlace | undefined> {
  const [row] = await ctx.db.sharedRead<PostingPlace>(
    `SELECT ${PLACE_COLUMNS}, parent.id AS "parentId", now()::timestamptz(3) AS now,
       CASE WHEN $7::boolean THEN ARRAY(SELECT i.mention_slug FROM mcp_servers i
         WHERE i.org_id = p.org_id AND ${SERVES_PROJECT}) END AS "integrationSlugs"
     FROM projects p
     LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
     LEFT JOIN messages parent ON parent.org_id = s.org_id AND parent.session_id = s.id
       AND parent.id = $6 AND parent.parent_message_id IS NULL
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, sessionId, parentId, hasMentions],
  );
  return row;
}

export interface NewMessage {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  authorUserId: string;
  body: string;
  mentions: string[];
  createdAt: Date;
}

/**
 * Takes the session's next position and inserts, in the last statement before COMMIT: the session's
 * row is locked for as short as can be, and positions are in order of commit. A session that was
 * archived meanwhile gives no position, which the column refuses.
 */
export function insertAtCommit(
  tx: Transaction,
  orgId: string,
  message: NewMessage,
  sessionArchived: () => Error,
): void {
  tx.atCommit(
    `WITH place AS (
       UPDATE sessions SET last_position = last_position + 1, last_message_at = $7
       WHERE org_id = $1 AND id = $3 AND archived_at IS NULL RETURNING last_position
     ), thread AS (
       UPDATE messages SET reply_count = reply_count + 1 WHERE org_id = $1 AND id = $4
     )
     INSERT INTO messages (org_id, id, session_id, position, parent_message_id, author_kind,
       author_user_id, body, mentions, status, citations, tool_calls, created_at)
     VALUES ($1, $2, $3, (SELECT last_position FROM place), $4, 'USER', $5, $6, $8, 'COMPLETED',
       '[]', '[]', $7)`,
    [
      orgId,
      message.id,
      message.sessionId,
      message.parentMessageId,
      message.authorUserId,
      message.body,
      message.createdAt,
      message.mentions,
    ],
    { explain: refusing('sessionArchived', sessionArchived), last: true },
  );
}

export interface Window {
  /** Only positions below this message's. */
  before: string | null;
  /** The window whose middle is this message. */
  around: string | null;
  limit: number;
}

export interface MessageWindow {
  place: (Place & { total: number; cursorPosition: number | null }) | undefined;
  /** Newest first; one more than `limit` when there are older ones. */
  rows: MessageRow[];
}

type WindowRow = MessageRow & Place & { total: number; cursorPosition: number | null };

/** One look-up for place, cursor and page: a keyset on the position, as fast at any depth. */
export async function listWindow(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  { before, around, limit }: Window,
): Promise<MessageWindow> {
  // Positions have no gaps, so the middle of a window is counted, not searched.
  const newer = around === null ? -1 : Math.floor((limit - 1) / 2);
  const rows = await ctx.db.sharedRead<WindowRow>(
    `SELECT place.*, m.* FROM (
       SELECT ${PLACE_COLUMNS}, s.last_position AS total, cursor.position AS "cursorPosition"
       FROM projects p
       LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
       LEFT JOIN messages cursor ON cursor.org_id = s.org_id AND cursor.session_id = s.id AND cursor.id = $6
       WHERE p.org_id = $1 AND p.slug = $4
     ) place LEFT JOIN LATERAL (
       SELECT ${MESSAGE_COLUMNS} FROM messages m
       WHERE m.org_id = $1 AND m.session_id = place."foundSessionId" AND place."isMember"
         AND m.position <= coalesce(place."cursorPosition" + $7, place.total)
       ORDER BY m.position DESC LIMIT $8
     ) m ON true`,
    [...callerOf(ctx), slug, sessionId, before ?? around, newer, limit + 1],
  );
  return { place: rows[0], rows: rows.filter((row) => row.id !== null) };
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
    `SELECT place.*, m.* FROM (
       SELECT ${PLACE_COLUMNS}, parent.id AS "parentId", parent.reply_count AS total,
         cursor.position AS "cursorPosition"
       FROM projects p
       LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
       LEFT JOIN messages parent ON parent.org_id = s.org_id AND parent.session_id = s.id
         AND parent.id = $6 AND parent.parent_message_id IS NULL
       LEFT JOIN messages cursor ON cursor.org_id = s.org_id AND cursor.parent_message_id = parent.id
         AND cursor.id = $7
       WHERE p.org_id = $1 AND p.slug = $4
     ) place LEFT JOIN LATERAL (
       SELECT ${MESSAGE_COLUMNS} FROM messages m
       WHERE m.org_id = $1 AND m.parent_message_id = place."parentId" AND place."isMember"
         AND m.position < coalesce(place."cursorPosition", 9223372036854775807)
       ORDER BY m.position DESC LIMIT $8
     ) m ON true`,
    [...callerOf(ctx), slug, sessionId, parentId, before, limit + 1],
  );
  const first = rows[0];
  return {
    place: first,
    parentId: first?.parentId ?? null,
    rows: rows.filter((row) => row.id !== null),
  };
}

/** A message by id, in the Project the path names; undefined where there is none. */
export async function findMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ place: Place; message: MessageRow | undefined } | undefined> {
  const [row] = await ctx.db.sharedRead<Place & MessageRow>(
    `SELECT ${MESSAGE_COLUMNS}, ${PLACE_COLUMNS} FROM projects p
     LEFT JOIN (messages m JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id)
       ON m.org_id = p.org_id AND m.id = $5 AND s.project_id = p.id
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, messageId],
  );
  return row && { place: row, message: row.id === null ? undefined : row };
}

/** Undefined when it was deleted meanwhile. */
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

/** Erases what was said, and what was felt about it; false when it was deleted before. */
export async function eraseMessage(ctx: UserContext, messageId: string): Promise<boolean> {
  await ctx.db.query('DELETE FROM reactions WHERE org_id = $1 AND message_id = $2', [
    ctx.orgId,
    messageId,
  ]);
  const rows = await ctx.db.query(
    `UPDATE messages SET body = '', mentions = '{}', citations = '[]', tool_calls = '[]', error = NULL,
       deleted_at = now()
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

/** The caller's reaction: a second one with the same emoji is the first. */
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
