import type { UserContext } from '../../core/context.ts';
import type { OrgDb, OrgTransaction } from '../../db/types.ts';
import { MESSAGE_ATTACHMENTS } from '../../access/attachments.ts';
import { NO_ID } from '../../db/no-id.ts';
import { utcTime } from '../../db/utc-time.ts';
import { ANSWERS_IN_PROJECT } from '../../access/serving-agents.ts';
import { SERVES_PROJECT } from '../../access/serving-mcp-servers.ts';
import { SERVING_MODELS } from '../../access/serving-models.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';
import { MAY_BROADCAST } from '../../access/broadcasts.ts';
import { CAN_READ_SESSION, canReadSession } from '../../access/readable.ts';
import { reactionsInTables } from './reactions/in-tables.ts';
import type { Message, SessionMessagesPath } from './schema.ts';
import { keysInSession } from './search/keys.ts';

/** A call to a tool, as the reply shows it. */
export type ToolCall = Message['toolCalls'][number];

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

/** What a reply refers to: a memory, or a message of another session. */
export type Citation =
  | { memoryId: string }
  | { messageId: string }
  | { documentId: string; page: number };

/** Who wrote a message in a chat system, whether or not they are a member here. */
export type ExternalAuthor = NonNullable<Message['externalAuthor']>;

/** The times are as `utcTime` has them: lists are long. */
export interface MessageRow extends Omit<Message, 'citations' | 'pendingReplies' | 'reactions'> {
  citations: Citation[];
  pendingReplies: PendingReply[];
  reactions: { emoji: string; userIds: string[]; externals?: number }[];
}

/** What is empty in a person's new message. */
export const BLANK_MESSAGE = {
  authorKind: 'USER',
  externalAuthor: null,
  agentSlug: null,
  inReplyToMessageId: null,
  mentions: [],
  status: 'COMPLETED',
  error: null,
  citations: [],
  toolCalls: [],
  pendingReplies: [],
  mentionedUserIds: [],
  broadcast: null,
  tasks: [],
  previews: [],
  attachments: [],
  reactions: [],
  replyCount: 0,
  branches: [],
  pinnedAt: null,
  pinnedById: null,
  usage: null,
  editedAt: null,
  deletedAt: null,
} satisfies Partial<MessageRow>;

export interface WrittenFields extends MessageRow {
  /** The name in the question that a reply answers. */
  mention: string;
  /** The first version's id, if a question is asked again. */
  turnId: string;
  /** Whether `file_uses` has any for it. */
  hasFiles: boolean;
}

/** The column and type of each field that a new message may set, besides its place: see posting/store.ts. */
export const WRITTEN_COLUMNS = {
  parentMessageId: ['parent_message_id', 'text'],
  id: ['id', 'text'],
  authorKind: ['author_kind', 'text'],
  externalAuthor: ['external_author', 'jsonb'],
  agentSlug: ['agent_slug', 'text'],
  inReplyToMessageId: ['in_reply_to_message_id', 'text'],
  mention: ['mention', 'text'],
  turnId: ['turn_id', 'text'],
  body: ['body', 'text'],
  mentions: ['mentions', 'text[]'],
  mentionedUserIds: ['mentioned_user_ids', 'text[]'],
  broadcast: ['broadcast', 'text'],
  pendingReplies: ['pending_replies', 'jsonb'],
  status: ['status', 'text'],
  error: ['error', 'jsonb'],
  citations: ['citations', 'jsonb'],
  toolCalls: ['tool_calls', 'jsonb'],
  usage: ['usage', 'jsonb'],
  hasFiles: ['has_files', 'boolean'],
} as const satisfies Partial<Record<keyof WrittenFields, readonly [column: string, type: string]>>;

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
// the entry, so what no longer needs a reply is filtered out here, as `isOpen` in agents/answering/answer.ts does.
export const PENDING_REPLIES = `CASE WHEN m.pending_replies = '[]' OR m.deleted_at IS NOT NULL THEN '[]'
    ELSE (SELECT coalesce(jsonb_agg(pending.entry ORDER BY pending.nth), '[]')
      FROM jsonb_array_elements(m.pending_replies) WITH ORDINALITY AS pending (entry, nth)
      WHERE NOT EXISTS (SELECT 1 FROM messages reply
        WHERE reply.org_id = $1 AND reply.in_reply_to_message_id = m.id
          AND reply.mention = pending.entry->>'mention'
          AND NOT (pending.entry->>'retry' IS NOT NULL AND reply.status <> 'COMPLETED'
            AND reply.deleted_at IS NULL))) END`;

// The message has no copy if it is from release 0.1.0, and an old one if a process of it changed something.
const REACTIONS = `CASE WHEN m.reactions IS NOT NULL AND NOT EXISTS (SELECT 1
      FROM unversioned_changes u
      WHERE u.org_id = $1 AND u.session_id = m.session_id AND u.message_id = m.id)
    THEN m.reactions ELSE ${reactionsInTables('m.id')} END`;

// Somebody who deleted their account has no name here any more, nor the one that they had there.
const EXTERNAL_AUTHOR = `CASE WHEN m.external_author IS NULL OR m.author_user_id IS NULL
    THEN m.external_author
  ELSE m.external_author || coalesce((SELECT jsonb_build_object('name', gone.name) FROM users gone
    WHERE gone.id = m.author_user_id AND gone.deleted_at IS NOT NULL), '{}') END`;

// The version that is shown, if its turn is, was put aside with an earlier one or not at all.
const BRANCHES = `CASE WHEN m.turn_id IS NULL THEN '[]' ELSE (
    SELECT jsonb_agg(jsonb_build_object('messageId', version.id,
      'active', version.inactive_branch_id IS DISTINCT FROM version.id) ORDER BY version.position)
    FROM messages version WHERE version.org_id = $1 AND version.turn_id = m.turn_id) END`;

export const MESSAGE_COLUMNS = `m.id, m.session_id AS "sessionId", m.parent_message_id AS "parentMessageId",
  m.author_kind AS "authorKind", m.author_user_id AS "authorUserId", ${EXTERNAL_AUTHOR} AS "externalAuthor",
  m.agent_slug AS "agentSlug", m.in_reply_to_message_id AS "inReplyToMessageId", m.body, m.mentions, m.status, m.error,
  m.citations, m.tool_calls AS "toolCalls", ${PENDING_REPLIES} AS "pendingReplies",
  m.mentioned_user_ids AS "mentionedUserIds", m.broadcast, m.tasks, m.previews, ${REACTIONS} AS reactions,
  ${MESSAGE_ATTACHMENTS} AS attachments,
  m.reply_count AS "replyCount", ${BRANCHES} AS branches, ${utcTime('m.pinned_at')} AS "pinnedAt",
  m.pinned_by_id AS "pinnedById", m.usage, ${utcTime('m.created_at')} AS "createdAt",
  ${utcTime('m.edited_at')} AS "editedAt", ${utcTime('m.deleted_at')} AS "deletedAt"`;

/** About what ten files with names of usual length take. */
const ATTACHED_BYTES = 3_000;

/** What a message adds to a page, without what is always short. Bodies need not be read for it. */
export const MESSAGE_BYTES = `octet_length(m.body) + coalesce(pg_column_size(m.reactions), 0)
  + CASE WHEN m.previews = '[]' THEN 0 ELSE octet_length(m.previews::text) END
  + CASE WHEN m.tool_calls = '[]' THEN 0 ELSE octet_length(m.tool_calls::text) END
  + CASE WHEN m.has_files THEN ${ATTACHED_BYTES} ELSE 0 END`;

/**
 * For every write that changes what a list shows. Locks are taken in the order reactions, session,
 * messages, so this comes before a message is updated: a post to a thread locks both too.
 */
export const RAISE_VERSION =
  'UPDATE sessions SET version = version + 1 WHERE org_id = $1 AND id = $2';

/** Whether session s is also a chat channel. */
const IS_MAPPED = `EXISTS (SELECT 1 FROM channel_mappings mapped
  WHERE mapped.org_id = $1 AND mapped.session_id = s.id)`;

/** Whether the caller ($2) is the only person in session s. */
export const IS_ALONE = `(s.participant_user_ids <@ ARRAY[$2::text] AND NOT ${IS_MAPPED})`;

export interface PostingAccess extends SessionAccess {
  /** The parent, if it is a top-level message of this session. */
  parentId: string | null;
  /** Of the agents and the MCP servers that answer in the Project. */
  answeringNames: string[];
  /** Whether messages that mention nobody are answered: the caller is alone there with whoever answers. */
  answersPlainly: boolean;
  /** Whether the next message gives the session its name. */
  isUnnamed: boolean;
  /** The ids of the session's readers by their handles, of the handles that were asked for. */
  people: Record<string, string>;
  /** Whether the caller may use @here and @everyone here. */
  mayBroadcast: boolean;
  /** Of those handles, the ones that anybody or anything of the org has. */
  takenNames: string[];
}

/** Where a message is posted to. */
export type PostingPlace = SessionMessagesPath & Pick<MessageRow, 'parentMessageId'>;

/** The readers of session s of Project p (org $1) whose handles are in `handles`. */
export const peopleIn = (handles: string) => `(
    SELECT coalesce(json_object_agg(person.handle, person.user_id), '{}') FROM memberships person
    WHERE person.org_id = $1 AND person.handle = ANY (${handles})
      AND ${canReadSession('person.user_id', 'person.role')}) AS people`;

export async function findPostingAccess(
  ctx: UserContext,
  { slug, sessionId, parentMessageId }: PostingPlace,
  handles: readonly string[] = [],
): Promise<PostingAccess | undefined> {
  const [row] = await ctx.db.sharedRead<PostingAccess>(
    `SELECT ${ACCESS_COLUMNS}, parent.id AS "parentId", ARRAY(
         SELECT i.mention_slug FROM mcp_servers i WHERE i.org_id = $1 AND ${SERVES_PROJECT}
         UNION ALL SELECT a.slug FROM agents a WHERE a.org_id = $1 AND ${ANSWERS_IN_PROJECT}
         UNION ALL SELECT m.slug FROM ${SERVING_MODELS} WHERE m.org_id = $1
       ) AS "answeringNames", ${peopleIn('$7')},
       s.answers_without_mention AND ${IS_ALONE} AS "answersPlainly",
       coalesce(s.named_by_turn_id = '', false) AS "isUnnamed",
       ${MAY_BROADCAST} AS "mayBroadcast", ARRAY(SELECT taken.name FROM mention_names taken
         WHERE taken.org_id = $1 AND taken.name = ANY ($7) AND taken.freed_at IS NULL) AS "takenNames"
     FROM projects p
     LEFT JOIN sessions s ON s.org_id = $1 AND s.project_id = p.id AND s.id = $5
       AND ${CAN_READ_SESSION}
     LEFT JOIN messages parent ON parent.org_id = $1 AND parent.session_id = s.id
       AND parent.id = $6 AND parent.parent_message_id IS NULL AND parent.inactive_branch_id IS NULL
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, sessionId, parentMessageId ?? NO_ID, handles],
  );
  return row;
}

/** The session's readers by their handles, of these handles. */
export async function findPeople(
  { db, orgId }: OrgDb,
  sessionId: string,
  handles: readonly string[],
): Promise<Record<string, string>> {
  const [row] = await db.sharedRead<Pick<PostingAccess, 'people'>>(
    `SELECT ${peopleIn('$3')} FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE s.org_id = $1 AND s.id = $2`,
    [orgId, sessionId, handles],
  );
  return row?.people ?? {};
}

export interface MessageAccess extends SessionAccess {
  /** Whether the session is also a chat channel. */
  isMapped: boolean;
}

/** A message by id, if the caller may read it in this Project. Undefined if the Project does not exist. */
export async function findMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ access: MessageAccess; message: MessageRow | undefined } | undefined> {
  const [row] = await ctx.db.sharedRead<MessageAccess & MessageRow>(
    `SELECT ${MESSAGE_COLUMNS}, ${ACCESS_COLUMNS}, ${IS_MAPPED} AS "isMapped" FROM projects p
     LEFT JOIN (messages m JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id)
       ON m.org_id = $1 AND m.id = $5 AND s.project_id = p.id AND ${CAN_READ_SESSION}
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, messageId],
  );
  return row && { access: row, message: row.id === null ? undefined : row };
}

// A preview stays with its link. Those of new links come later.
const KEPT_PREVIEWS = `coalesce((SELECT jsonb_agg(kept.preview ORDER BY kept.nth)
  FROM jsonb_array_elements(messages.previews) WITH ORDINALITY AS kept (preview, nth)
  WHERE strpos($3, kept.preview->>'url') > 0), '[]')`;

/** Undefined if it was deleted meanwhile. */
export async function updateBody(
  { db, orgId }: OrgDb,
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
  {
    body,
    mentions,
    mentionedUserIds,
    broadcast,
    hashes,
  }: Pick<MessageRow, 'body' | 'mentions' | 'mentionedUserIds' | 'broadcast'> & {
    hashes: readonly number[];
  },
): Promise<MessageRow | undefined> {
  const [, updated, [row]] = await Promise.all([
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET body = $3, mentions = $4, mentioned_user_ids = $5, broadcast = $8, edited_at = now(),
         previews = CASE WHEN previews = '[]' THEN previews ELSE ${KEPT_PREVIEWS} END,
         search_keys = ${keysInSession('$6', '$7', 'messages.created_at')}
       WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING 1 AS updated`,
      [orgId, id, body, mentions, mentionedUserIds, hashes, sessionId, broadcast],
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
  { db, orgId }: OrgDb,
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): Promise<boolean> {
  const [, , , erased] = await Promise.all([
    db.query('DELETE FROM reactions WHERE org_id = $1 AND message_id = $2', [orgId, id]),
    db.query('DELETE FROM external_reactions WHERE org_id = $1 AND message_id = $2', [orgId, id]),
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET body = '', mentions = '{}', mentioned_user_ids = '{}', broadcast = NULL, citations = '[]',
         tool_calls = '[]', error = NULL, pending_replies = '[]', reactions = '[]', deleted_at = now(),
         search_keys = '{}', pinned_at = NULL, pinned_by_id = NULL, previews = '[]', previewed_at = NULL, has_files = false
       WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING 1 AS erased`,
      [orgId, id],
    ),
  ]);
  return erased.length === 1;
}

/** Sent with COMMIT: the message shows the task that was made from it. */
export function linkTaskAtCommit(
  { db, orgId }: OrgTransaction,
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
  task: { id: string; number: number },
): void {
  db.atCommit(RAISE_VERSION, [orgId, sessionId], { order: 'last' });
  db.atCommit(
    'UPDATE messages SET tasks = tasks || $3::jsonb WHERE org_id = $1 AND id = $2',
    [orgId, id, JSON.stringify([task])],
    { order: 'last' },
  );
}
