import { withTransaction, type UserContext } from '../../context.ts';
import { conflict, forbidden, invalid, notFound, type FieldError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { recordAudit } from '../audit/service.ts';
import { requireLiveProject, requireProject } from '../projects/service.ts';
import { requireLiveSession, sessionArchived } from '../sessions/service.ts';
import { EMOJIS, normalizeEmoji } from './emoji.ts';
import { parseMentions } from './mentions.ts';
import {
  answersMention,
  enqueueReplies,
  enqueueRetry,
  pendingRepliesTo,
} from './replies/service.ts';
import { findReplyOrigin } from './replies/store.ts';
import type { CreateMessage, ListMessages } from './schema.ts';
import {
  deleteReaction,
  eraseMessage,
  findMessage,
  findPostingAccess,
  insertAtCommit,
  listThread,
  listWindow,
  updateBody,
  upsertReaction,
  type MessageRow,
  type Posted,
  type PostingAccess,
  type PostingPlace,
  type SessionAccess,
  type ReactionRow,
} from './store.ts';

export async function postMessage(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  input: CreateMessage,
): Promise<MessageRow> {
  const { body, parentMessageId = null } = input;
  const place = { slug, sessionId, parentMessageId };
  // Without mentions nothing needs to be read first: the statement that inserts also checks.
  const integrationSlugs = body.includes('@')
    ? requirePlace(await findPostingAccess(ctx, place), place).integrationSlugs
    : [];
  const answers = (slug: string) =>
    answersMention(ctx.models, slug) || integrationSlugs.includes(slug);
  const mentions = parseMentions(body, answers);
  const createdAt = ctx.clock.now();
  const message = {
    id: newId(),
    sessionId,
    parentMessageId,
    body,
    mentions,
    pendingReplies: pendingRepliesTo(mentions.filter(answers), createdAt),
    createdAt,
  };
  await withTransaction(ctx, async (inner) => {
    await enqueueReplies(inner, message.id, message.pendingReplies);
    insertAtCommit(inner, slug, message, {
      refuse: (db) => whyNotPosted({ ...ctx, db }, place),
      posted: (at) => announce(inner, 'created', at, message),
    });
  });
  return { ...BLANK_MESSAGE, ...message, authorUserId: ctx.actor.userId };
}

function requirePlace(
  found: PostingAccess | undefined,
  { parentMessageId }: PostingPlace,
): PostingAccess {
  const access = requireWritableSession(found);
  if (access.parentId !== parentMessageId) throw badParent('body.parentMessageId');
  return access;
}

async function whyNotPosted(ctx: UserContext, place: PostingPlace): Promise<Error> {
  const found = await findPostingAccess(ctx, place);
  try {
    requirePlace(found, place);
  } catch (error) {
    return error as Error;
  }
  return sessionArchived(); // It was, and has been restored since.
}

/** The fields that are empty in a person's new message. */
const BLANK_MESSAGE = {
  authorKind: 'USER',
  agentSlug: null,
  inReplyToMessageId: null,
  status: 'COMPLETED',
  error: null,
  citations: [],
  toolCalls: [],
  reactions: null,
  replyCount: 0,
  usage: null,
  editedAt: null,
  deletedAt: null,
} satisfies Partial<MessageRow>;

export interface MessagePage {
  items: MessageRow[];
  total: number;
  nextBefore: string | null;
  hasMore: boolean;
}

export async function listMessages(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  query: ListMessages,
): Promise<MessagePage> {
  const { before = null, around = null, parentMessageId, limit } = query;
  if (around !== null && (before !== null || parentMessageId !== undefined)) {
    throw invalid([queryError('around', 'cannot be combined with before or parentMessageId')]);
  }
  const listed =
    parentMessageId === undefined
      ? await listWindow(ctx, slug, sessionId, { before, around, limit })
      : await listThread(ctx, slug, sessionId, parentMessageId, { before, limit });
  const access = requireSession(listed.access);
  if ('parentId' in listed && listed.parentId === null) throw badParent('query.parentMessageId');
  if ((before ?? around) !== null && listed.access?.cursorPosition == null) {
    const name = before === null ? 'around' : 'before';
    throw invalid([queryError(name, 'is not a message in this list')]);
  }
  const items = listed.rows.slice(0, limit);
  const hasMore = listed.rows.length > limit;
  return {
    items,
    total: access.total,
    nextBefore: hasMore ? (items.at(-1)?.id ?? null) : null,
    hasMore,
  };
}

export async function getMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ access: SessionAccess; message: MessageRow }> {
  const found = await findMessage(ctx, slug, messageId);
  requireProject(found?.access);
  if (!found?.message) throw notFound('This message');
  return { access: found.access, message: found.message };
}

/** Runs a FAILED reply again. The message stays the same, so each mention still has one reply. */
export async function retryReply(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    requireWritable(access, message);
    const origin = await findReplyOrigin(inner.db, ctx.orgId, messageId);
    if (!origin || message.status !== 'FAILED') {
      throw conflict('reply_not_failed', 'Only a FAILED reply can be retried.');
    }
    const { messageId: questionId, mention, isQuestionDeleted } = origin;
    if (isQuestionDeleted) throw conflict('message_deleted', 'The question was deleted.');
    await enqueueRetry(inner, { messageId: questionId, mention });
    announce(inner, 'updated', access, { ...message, id: questionId });
    return message;
  });
}

/** An edit never starts a reply; only a new message does. */
export async function editMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
  body: string | undefined,
): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    if (message.authorUserId !== ctx.actor.userId) {
      throw forbidden('role', 'Only the author can edit a message.');
    }
    requireWritable(access, message);
    if (body === undefined || body === message.body) return message;
    const mentions = parseMentions(body, (known) => answersMention(ctx.models, known));
    const edited = await updateBody(inner, messageId, { body, mentions });
    if (!edited) throw messageDeleted();
    recordAudit(inner, 'message.edited', messageId);
    announce(inner, 'updated', access, message);
    return edited;
  });
}

export async function deleteMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    const { role, userId } = ctx.actor;
    if (message.authorUserId !== userId && role === 'MEMBER') {
      throw forbidden('role', 'Only the author, an OWNER or an ADMIN can delete this message.');
    }
    if (message.deletedAt !== null) return;
    requireWritable(access, message);
    if (!(await eraseMessage(inner, messageId))) return;
    recordAudit(inner, 'message.deleted', messageId);
    announce(inner, 'updated', access, message);
  });
}

export async function react(
  ctx: UserContext,
  slug: string,
  messageId: string,
  text: string,
): Promise<ReactionRow> {
  const emoji = normalizeEmoji(text);
  if (emoji === undefined) {
    const message = `must be one of ${EMOJIS.join(' ')}`;
    throw invalid([{ location: 'body.emoji', code: 'invalid_value', message }]);
  }
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    requireWritable(access, message);
    announce(inner, 'updated', access, message);
    return upsertReaction(inner, messageId, emoji);
  });
}

export async function unreact(
  ctx: UserContext,
  slug: string,
  messageId: string,
  text: string,
): Promise<void> {
  const emoji = normalizeEmoji(text);
  if (emoji === undefined) throw notFound('This reaction');
  await withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    requireWritable(access, message);
    await deleteReaction(inner, messageId, emoji);
    announce(inner, 'updated', access, message);
  });
}

function announce(
  ctx: UserContext,
  change: 'created' | 'updated',
  { projectId }: Posted,
  { id: messageId, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): void {
  ctx.hints.announce(ctx, { type: `message.${change}`, projectId, sessionId, messageId });
}

function requireSession<P extends SessionAccess>(found: P | undefined): P {
  const access = requireProject(found);
  if (access.foundSessionId === null) throw notFound('This session');
  return access;
}

function requireWritableSession<P extends SessionAccess>(found: P | undefined): P {
  const access = requireSession(found);
  requireLiveProject(access.projectArchivedAt);
  requireLiveSession(access);
  return access;
}

function requireWritable(access: SessionAccess, message: MessageRow): void {
  requireLiveProject(access.projectArchivedAt);
  requireLiveSession(access);
  if (message.deletedAt !== null) throw messageDeleted();
}

function messageDeleted(): Error {
  return conflict('message_deleted', 'This message was deleted.');
}

function badParent(location: string): Error {
  const message = 'is not a top-level message in this session';
  return invalid([{ location, code: 'invalid_value', message }]);
}

function queryError(name: string, message: string): FieldError {
  return { location: `query.${name}`, code: 'invalid_value', message };
}
