import { withTransaction, type UserContext } from '../../context.ts';
import { conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { recordAudit } from '../audit/service.ts';
import { isModelName } from '../mentions/service.ts';
import { requireProject } from '../projects/service.ts';
import { sessionArchived } from '../sessions/service.ts';
import { EMOJIS, normalizeEmoji } from './emoji.ts';
import { parseMentions } from './mentions.ts';
import { badParent, messageDeleted, requireWritable, requireWritableSession } from './policy.ts';
import {
  enqueueReplies,
  enqueueRetry,
  findQuestion,
  pendingRepliesTo,
  requestStop,
} from './replies/service.ts';
import { findReplyOrigin } from './replies/store.ts';
import type { CreateMessage } from './schema.ts';
import {
  deleteReaction,
  eraseMessage,
  findMessage,
  findPostingAccess,
  insertAtCommit,
  updateBody,
  upsertReaction,
  type MessageRow,
  type Posted,
  type PostingAccess,
  type PostingPlace,
  type SessionAccess,
  type ReactionRow,
} from './store.ts';

export { listMessages } from './pages/service.ts';

export async function postMessage(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  input: CreateMessage,
): Promise<MessageRow> {
  const { body, parentMessageId = null } = input;
  const place = { slug, sessionId, parentMessageId };
  // Without mentions nothing needs to be read first: the statement that inserts also checks.
  const names = body.includes('@')
    ? requirePlace(await findPostingAccess(ctx, place), place).answeringNames
    : [];
  const answers = (slug: string) => isModelName(ctx, slug) || names.includes(slug);
  const mentions = parseMentions(body, answers);
  const createdAt = ctx.clock.now().toISOString();
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
  reactions: [],
  replyCount: 0,
  usage: null,
  editedAt: null,
  deletedAt: null,
} satisfies Partial<MessageRow>;

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

/** Runs a FAILED or STOPPED reply again. The message stays the same, so each mention still has one reply. */
export async function retryReply(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    requireWritable(access, message);
    const origin = await findReplyOrigin(inner.db, ctx.orgId, messageId);
    if (!origin || message.status === 'COMPLETED') {
      throw conflict('reply_not_failed', 'Only a FAILED or STOPPED reply can be retried.');
    }
    const { messageId: questionId, mention, isQuestionDeleted } = origin;
    if (isQuestionDeleted) throw conflict('message_deleted', 'The question was deleted.');
    await enqueueRetry(inner, { messageId: questionId, sessionId: message.sessionId, mention });
    announce(inner, 'updated', access, { ...message, id: questionId });
    return message;
  });
}

/** What was written until now lands as a STOPPED reply, in whichever process it is written. */
export async function stopReply(
  ctx: UserContext,
  slug: string,
  messageId: string,
  mention: string,
): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    if (message.authorUserId !== ctx.actor.userId && ctx.actor.role === 'MEMBER') {
      throw forbidden('role', 'Only the person who asked, an OWNER or an ADMIN can stop a reply.');
    }
    requireWritable(access, message);
    const isPending = message.pendingReplies.some((pending) => pending.mention === mention);
    if (isPending && (await requestStop(inner, messageId, mention))) return message;
    const question = await findQuestion(inner.db, ctx.orgId, messageId, mention);
    if (question?.replyId == null) throw notFound('This reply');
    throw conflict('reply_ended', 'This reply has ended. There is nothing to stop.');
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
    const mentions = parseMentions(body, (known) => isModelName(ctx, known));
    const edited = await updateBody(inner, message, { body, mentions });
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
    if (!(await eraseMessage(inner, message))) return;
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
    return upsertReaction(inner, message, emoji);
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
    deleteReaction(inner, message, emoji);
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
