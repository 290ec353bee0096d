import type { OrgDb, OrgTransaction } from '../../../db/types.ts';
import { refusing } from '../../../db/transactions/violations.ts';
import { IS_DIRECT } from '../../../access/direct.ts';
import { ONLY_READERS } from '../../../access/readable.ts';
import { withoutMention } from '../pending/store.ts';
import { insertMessage } from '../posting/store.ts';
import { keysInSession } from '../search/keys.ts';
import { RAISE_VERSION, type MessageRow, type PendingReply } from '../store.ts';

/** A message to answer, with everything that decides who answers and how. */
export interface Question {
  id: string;
  body: string;
  position: number;
  parentMessageId: string | null;
  /** Null if somebody asked in a mapped channel who is not a member. */
  askerUserId: string | null;
  askerName: string;
  /** The person in whose name it is charged: the asker, or whoever mapped the channel. */
  chargedUserId: string;
  createdAt: Date;
  deletedAt: Date | null;
  sessionId: string;
  sessionName: string;
  /** It is in a direct conversation, which has no Project of its own. */
  isDirect: boolean;
  /** Only its participants read the session and the answer. */
  isPrivate: boolean;
  sessionModel: string | null;
  sessionDefaultAgent: string | null;
  projectDefaultAgent: string | null;
  /** Set if people in a chat channel read the session and the answer. */
  channel: { sharesOrgMemory: boolean } | null;
  /** The task that the session is about. */
  taskId: string | null;
  projectId: string;
  projectName: string;
  /** The reply to this mention, if it has landed. */
  replyId: string | null;
  replyStatus: MessageRow['status'] | null;
  replyDeletedAt: Date | null;
  /** Null if the reply has landed, or was asked for by a process of an older version. */
  pending: PendingReply | null;
}

export async function findQuestion(
  { db, orgId }: OrgDb,
  messageId: string,
  mention: string,
): Promise<Question | undefined> {
  const [row] = await db.query<Question>(
    `SELECT m.id, m.body, m.position, m.parent_message_id AS "parentMessageId",
       m.author_user_id AS "askerUserId", coalesce(u.name, m.external_author->>'name') AS "askerName",
       coalesce(m.author_user_id, c.created_by_id, p.created_by_id) AS "chargedUserId",
       m.created_at AS "createdAt", CASE WHEN c.id IS NOT NULL
         THEN jsonb_build_object('sharesOrgMemory', c.shares_org_memory) END AS channel,
       m.deleted_at AS "deletedAt", s.id AS "sessionId", s.name AS "sessionName",
       ${IS_DIRECT} AS "isDirect", ${ONLY_READERS} IS NOT NULL AS "isPrivate", s.task_id AS "taskId",
       s.model AS "sessionModel", s.default_agent AS "sessionDefaultAgent",
       p.id AS "projectId", p.name AS "projectName", p.default_agent AS "projectDefaultAgent",
       reply.id AS "replyId", reply.status AS "replyStatus", reply.deleted_at AS "replyDeletedAt",
       (SELECT entry FROM jsonb_array_elements(m.pending_replies) AS entry
         WHERE entry->>'mention' = $3 LIMIT 1) AS pending
     FROM messages m
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     LEFT JOIN users u ON u.id = m.author_user_id
     LEFT JOIN channel_mappings c ON c.org_id = $1 AND c.session_id = s.id
     LEFT JOIN messages reply ON reply.org_id = $1 AND reply.in_reply_to_message_id = m.id
       AND reply.mention = $3
     WHERE m.org_id = $1 AND m.id = $2`,
    [orgId, messageId, mention],
  );
  return row;
}

/** Null for an org that an operator made. */
export async function findOrgCreator({ db, orgId }: OrgDb): Promise<string | null> {
  const [row] = await db.query<{ creatorId: string | null }>(
    'SELECT created_by_id AS "creatorId" FROM orgs WHERE id = $1',
    [orgId],
  );
  return row?.creatorId ?? null;
}

export interface SpokenMessage {
  id: string;
  position: number;
  authorKind: MessageRow['authorKind'];
  /** The person's name, or the agent's slug. */
  author: string;
  body: string;
  createdAt: Date;
  parentMessageId: string | null;
}

/** How much to read. Bodies are read up to one character more than `longest`, which shows that there is more. */
export interface ReadLimits {
  limit: number;
  longest: number;
}

/** The org's messages that are part of a conversation, without branches that are not shown. */
const SPOKEN = `FROM messages m LEFT JOIN users u ON u.id = m.author_user_id
  WHERE m.org_id = $1 AND m.deleted_at IS NULL AND m.status <> 'FAILED'
    AND m.inactive_branch_id IS NULL`;

const HEAD_COLUMNS = `m.id, m.author_kind AS "authorKind", m.created_at AS "createdAt",
  coalesce(u.name, m.agent_slug, m.external_author->>'name') AS author`;
const SPOKEN_COLUMNS = `${HEAD_COLUMNS}, m.position, m.parent_message_id AS "parentMessageId"`;

/** The session's last messages before the question, oldest first. */
export function listSpokenBefore(
  ctx: OrgDb,
  { sessionId, position }: Pick<Question, 'sessionId' | 'position'>,
  limits: ReadLimits,
): Promise<SpokenMessage[]> {
  return listBefore(ctx, 'm.session_id = $2', [sessionId, position], limits);
}

/** The question's thread including its first message, oldest first. */
export function listThreadBefore(
  ctx: OrgDb,
  { parentMessageId, position }: Pick<Question, 'parentMessageId' | 'position'>,
  limits: ReadLimits,
): Promise<SpokenMessage[]> {
  const inThread = '(m.id = $2 OR m.parent_message_id = $2)';
  return listBefore(ctx, inThread, [parentMessageId, position], limits);
}

async function listBefore(
  { db, orgId }: OrgDb,
  condition: string,
  place: [id: string | null, position: number],
  { limit, longest }: ReadLimits,
): Promise<SpokenMessage[]> {
  const rows = await db.query<SpokenMessage>(
    `SELECT ${SPOKEN_COLUMNS}, left(m.body, $5) AS body ${SPOKEN}
       AND ${condition} AND m.position < $3 ORDER BY m.position DESC LIMIT $4`,
    [orgId, ...place, limit, longest + 1],
  );
  return rows.toReversed();
}

/** The session's first messages after one position and up to another, oldest first. */
export function listSpokenBetween(
  { db, orgId }: OrgDb,
  sessionId: string,
  { after, until, limit, longest }: ReadLimits & { after: number; until: number },
): Promise<SpokenMessage[]> {
  return db.query<SpokenMessage>(
    `SELECT ${SPOKEN_COLUMNS}, left(m.body, $6) AS body ${SPOKEN}
       AND m.session_id = $2 AND m.position > $3 AND m.position <= $4 ORDER BY m.position LIMIT $5`,
    [orgId, sessionId, after, until, limit, longest + 1],
  );
}

/** A message without its body, which can be long. */
export interface SpokenHead extends Omit<SpokenMessage, 'body' | 'parentMessageId' | 'position'> {
  /** Of the body. */
  bytes: number;
}

/** The same without bodies, so that the reader can decide how many of them to load. */
export async function listSpokenHeads(
  { db, orgId }: OrgDb,
  question: Pick<Question, 'sessionId' | 'position'>,
  limit: number,
): Promise<SpokenHead[]> {
  return db.query<SpokenHead>(
    `SELECT ${HEAD_COLUMNS}, octet_length(m.body) AS bytes ${SPOKEN}
       AND m.session_id = $2 AND m.position < $3 ORDER BY m.position DESC LIMIT $4`,
    [orgId, question.sessionId, question.position, limit],
  );
}

/** By id, without messages that were deleted meanwhile. */
export async function readBodies(
  { db, orgId }: OrgDb,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; body: string }>(
    `SELECT id, body FROM messages WHERE org_id = $1 AND id = ANY ($2) AND deleted_at IS NULL`,
    [orgId, messageIds],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Of these messages, those that an agent replied to: a question doesn't contain an answer. */
export async function listAnswered(
  { db, orgId }: OrgDb,
  messageIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT DISTINCT in_reply_to_message_id AS id FROM messages
     WHERE org_id = $1 AND in_reply_to_message_id = ANY ($2)`,
    [orgId, messageIds],
  );
  return rows.map(({ id }) => id);
}

type Result = Pick<MessageRow, 'body' | 'status' | 'error' | 'citations' | 'toolCalls' | 'usage'>;

export interface NewReply extends Result {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  inReplyToMessageId: string;
  mention: string;
  agentSlug: string;
  createdAt: Date;
}

/** A reply with the hashes of its terms, for searches. */
export interface IndexedReply extends NewReply {
  hashes: number[];
}

/** A session that was archived after the question still gets the reply. */
export function insertReplyAtCommit(
  { db, orgId }: OrgTransaction,
  reply: IndexedReply,
  alreadyAnswered: () => Error,
): void {
  insertMessage(
    { db, orgId },
    { ...reply, authorKind: 'AGENT' },
    { place: 'any session', explain: refusing('mentionAnswered', alreadyAnswered) },
  );
  db.atCommit(
    `UPDATE messages SET pending_replies = ${withoutMention('$3')} WHERE org_id = $1 AND id = $2`,
    [orgId, reply.inReplyToMessageId, reply.mention],
    { order: 'last' },
  );
  // Its question may have been put aside while it was written. It is in the same branch.
  db.atCommit(
    `UPDATE messages reply SET inactive_branch_id = question.inactive_branch_id FROM messages question
     WHERE reply.org_id = $1 AND reply.id = $2 AND question.org_id = $1 AND question.id = $3
       AND question.inactive_branch_id IS NOT NULL`,
    [orgId, reply.id, reply.inReplyToMessageId],
    { order: 'last' },
  );
}

/** Replaces a FAILED or STOPPED reply. False if this retry is pending no more: another run has landed it. */
export async function replaceReply(
  { db, orgId }: OrgDb,
  reply: IndexedReply,
  retry: Pick<PendingReply, 'startedAt'>,
): Promise<boolean> {
  const raised = db.query(RAISE_VERSION, [orgId, reply.sessionId]);
  const cleared = db.query(
    `UPDATE messages SET pending_replies = ${withoutMention('$3')}
     WHERE org_id = $1 AND id = $2 AND pending_replies @> $4::jsonb RETURNING 1 AS cleared`,
    [
      orgId,
      reply.inReplyToMessageId,
      reply.mention,
      json([{ mention: reply.mention, startedAt: retry.startedAt, retry: true }]),
    ],
  );
  const replaced = db.query(
    `UPDATE messages SET agent_slug = $3, body = $4, status = $5, error = $6, citations = $7,
       tool_calls = $8, usage = $9,
       search_keys = ${keysInSession('$10', '$11', 'messages.created_at')}
     WHERE org_id = $1 AND id = $2 AND status <> 'COMPLETED' AND deleted_at IS NULL
     RETURNING 1 AS landed`,
    [
      orgId,
      reply.id,
      reply.agentSlug,
      reply.body,
      reply.status,
      json(reply.error),
      json(reply.citations),
      json(reply.toolCalls),
      json(reply.usage),
      reply.hashes,
      reply.sessionId,
    ],
  );
  const [, ...changed] = await Promise.all([raised, cleared, replaced]);
  return changed.every((rows) => rows.length === 1);
}

export interface ReplyOrigin {
  messageId: string;
  mention: string;
  /** Null if somebody asked in a mapped channel who is not a member. */
  askerUserId: string | null;
  isQuestionDeleted: boolean;
  status: MessageRow['status'];
  /** Whether it is in a branch that is not shown. */
  isAside: boolean;
}

/** The question and mention that a reply answers. */
export async function findReplyOrigin(
  { db, orgId }: OrgDb,
  replyId: string,
): Promise<ReplyOrigin | undefined> {
  const [row] = await db.query<ReplyOrigin>(
    `SELECT question.id AS "messageId", reply.mention, reply.status,
       reply.inactive_branch_id IS NOT NULL AS "isAside",
       question.author_user_id AS "askerUserId", question.deleted_at IS NOT NULL AS "isQuestionDeleted"
     FROM messages reply JOIN messages question
       ON question.org_id = $1 AND question.id = reply.in_reply_to_message_id
     WHERE reply.org_id = $1 AND reply.id = $2 AND reply.mention IS NOT NULL`,
    [orgId, replyId],
  );
  return row;
}

/** The driver would send an array as a PostgreSQL array. */
function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
