import { withTransaction, type UserContext } from '../../context.ts';
import { conflict, forbidden, invalid, notFound, type FieldError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { recordAudit } from '../audit/service.ts';
import {
  requireLiveProject,
  requireLiveSession,
  requireSpace,
  sessionArchived,
} from '../sessions/service.ts';
import { EMOJIS, normalizeEmoji } from './emoji.ts';
import { parseMentions } from './mentions.ts';
import { answersMention, enqueueReplies, enqueueRetry } from './replies/service.ts';
import { findReplyOrigin } from './replies/store.ts';
import type { CreateMessage, ListMessages } from './schema.ts';
import {
  deleteReaction,
  eraseMessage,
  findMessage,
  findPostingPlace,
  insertAtCommit,
  listThread,
  listWindow,
  updateBody,
  upsertReaction,
  type MessageRow,
  type Place,
  type ReactionRow,
} from './store.ts';

export async function postMessage(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  input: CreateMessage,
): Promise<MessageRow> {
  const { body, parentMessageId: asked } = input;
  const parentMessageId = asked ?? null;
  const found = await findPostingPlace(ctx, slug, sessionId, parentMessageId, body.includes('@'));
  const place = requireLivePlace(found);
  if (place.parentId !== parentMessageId) throw badParent('body.parentMessageId');
  const answers = (slug: string) =>
    answersMention(ctx.models, slug) || (place.integrationSlugs?.includes(slug) ?? false);
  const message = {
    id: newId(),
    sessionId,
    parentMessageId,
    authorUserId: ctx.actor.userId,
    body,
    mentions: parseMentions(body, answers),
    createdAt: place.now,
  };
  await withTransaction(ctx, async (inner) => {
    await enqueueReplies(inner, message.id, message.mentions.filter(answers));
    insertAtCommit(inner.db, ctx.orgId, message, sessionArchived);
    announce(inner, 'created', place, message);
  });
  return { ...BLANK_MESSAGE, ...message };
}

/** What a new message of a person does not have yet. */
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
  const place = requirePlace(listed.place);
  if ('parentId' in listed && listed.parentId === null) throw badParent('query.parentMessageId');
  if ((before ?? around) !== null && listed.place?.cursorPosition == null) {
    const name = before === null ? 'around' : 'before';
    throw invalid([queryError(name, 'names no message of this list')]);
  }
  const items = listed.rows.slice(0, limit);
  const hasMore = listed.rows.length > limit;
  return {
    items,
    total: place.total,
    nextBefore: hasMore ? (items.at(-1)?.id ?? null) : null,
    hasMore,
  };
}

export async function getMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ place: Place; message: MessageRow }> {
  const found = await findMessage(ctx, slug, messageId);
  requireSpace(found?.place);
  if (!found?.message) throw notFound('This message');
  return { place: found.place, message: found.message };
}

/** Runs a FAILED reply again in its place: the same message, so still one for its mention. */
export async function retryReply(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { place, message } = await getMessage(inner, slug, messageId);
    requireWritable(place, message);
    const origin = await findReplyOrigin(inner.db, ctx.orgId, messageId);
    if (!origin || message.status !== 'FAILED') {
      throw conflict('reply_not_failed', 'Only a reply that FAILED can be tried again.');
    }
    const { messageId: questionId, mention, isQuestionDeleted } = origin;
    if (isQuestionDeleted) throw conflict('message_deleted', 'The question was deleted.');
    await enqueueRetry(inner, { messageId: questionId, mention });
    announce(inner, 'updated', place, message);
    return message;
  });
}

/** Editing never makes anybody answer: only a new message does. */
export async function editMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
  body: string | undefined,
): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { place, message } = await getMessage(inner, slug, messageId);
    if (message.authorUserId !== ctx.actor.userId) {
      throw forbidden('role', 'Only its author may change a message.');
    }
    requireWritable(place, message);
    if (body === undefined || body === message.body) return message;
    const mentions = parseMentions(body, (known) => answersMention(ctx.models, known));
    const edited = await updateBody(inner, messageId, { body, mentions });
    if (!edited) throw messageDeleted();
    recordAudit(inner, 'message.edited', messageId);
    announce(inner, 'updated', place, message);
    return edited;
  });
}

export async function deleteMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const { place, message } = await getMessage(inner, slug, messageId);
    const { role, userId } = ctx.actor;
    if (message.authorUserId !== userId && role === 'MEMBER') {
      throw forbidden('role', 'This is for the author, an OWNER or an ADMIN.');
    }
    if (message.deletedAt !== null) return;
    requireWritable(place, message);
    if (!(await eraseMessage(inner, messageId))) return;
    recordAudit(inner, 'message.deleted', messageId);
    announce(inner, 'updated', place, message);
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
    const { place, message } = await getMessage(inner, slug, messageId);
    requireWritable(place, message);
    announce(inner, 'updated', place, message);
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
    const { place, message } = await getMessage(inner, slug, messageId);
    requireWritable(place, message);
    await deleteReaction(inner, messageId, emoji);
    announce(inner, 'updated', place, message);
  });
}

function announce(
  ctx: UserContext,
  change: 'created' | 'updated',
  { projectId }: Place,
  { id: messageId, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): void {
  ctx.hints.announce(ctx, { type: `message.${change}`, projectId, sessionId, messageId });
}

function requirePlace<P extends Place>(found: P | undefined): P {
  const place = requireSpace(found);
  if (place.foundSessionId === null) throw notFound('This session');
  return place;
}

function requireLivePlace<P extends Place>(found: P | undefined): P {
  const place = requirePlace(found);
  requireLiveProject(place);
  requireLiveSession(place);
  return place;
}

function requireWritable(place: Place, message: MessageRow): void {
  requireLiveProject(place);
  requireLiveSession(place);
  if (message.deletedAt !== null) throw messageDeleted();
}

function messageDeleted(): Error {
  return conflict('message_deleted', 'This message was deleted.');
}

function badParent(location: string): Error {
  const message = 'names no top-level message of this session';
  return invalid([{ location, code: 'invalid_value', message }]);
}

function queryError(name: string, message: string): FieldError {
  return { location: `query.${name}`, code: 'invalid_value', message };
}
