import { withTransaction, type UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit, prepareFor } from '../../events/emit.ts';
import type { ChangedMessage } from '../../events/list.ts';
import { isModelName } from '../mentions/service.ts';
import { requireProject } from '../../access/project.ts';
import { sessionArchived } from '../sessions/service.ts';
import { forgetSummaryAtCommit } from '../sessions/summaries/service.ts';
import { EMOJIS, normalizeEmoji } from './emoji.ts';
import { handlesIn, mentionedPeople } from './mentioned-people.ts';
import { parseMentions } from './mentions.ts';
import { badParent, messageDeleted, requireWritable, requireWritableSession } from './policy.ts';
import { insertMessage, unplaced } from './posting/store.ts';
import {
  enqueueReplies,
  enqueueRetry,
  findQuestion,
  pendingRepliesTo,
  requestStop,
} from './replies/service.ts';
import { deleteReaction, upsertReaction, type ReactionRow } from './reactions/store.ts';
import { findReplyOrigin, type ReplyOrigin } from './replies/store.ts';
import { lockPending } from './pending/store.ts';
import type { CreateMessage } from './schema.ts';
import { hashBody } from './search/index-body.ts';
import { countPost } from './search/index-job.ts';
import {
  BLANK_MESSAGE,
  eraseMessage,
  findMessage,
  findPeople,
  findPostingAccess,
  linkTaskAtCommit,
  updateBody,
  type MessageAccess,
  type MessageRow,
  type PostingAccess,
  type PostingPlace,
} from './store.ts';

export { listMessages, readMessages } from './pages/service.ts';
export { listThreads } from './threads/store.ts';

export async function postMessage(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  input: CreateMessage,
  /** If given, only this name answers, whoever else is mentioned. */
  asked?: string,
): Promise<MessageRow> {
  const { body, parentMessageId = null } = input;
  const place = { slug, sessionId, parentMessageId };
  // A plain message needs nothing read first: the statement that inserts also checks.
  const { answeringNames, people, answersPlainly } =
    body.includes('@') || ctx.actor.hasPlainQuestions
      ? requirePlace(await findPostingAccess(ctx, place, handlesIn(body)), place)
      : NOBODY;
  const known = new Set(answeringNames);
  const answers = (slug: string) =>
    (asked === undefined || slug === asked) && (isModelName(ctx, slug) || known.has(slug));
  const mentions = parseMentions(body, (slug) => answers(slug) || Object.hasOwn(people, slug));
  const mentionedUserIds = mentionedPeople(ctx, mentions, people);
  const named = mentions.filter(answers);
  const isPlain = asked === undefined && named.length === 0 && mentionedUserIds.length === 0;
  const answering = isPlain && answersPlainly ? [USUAL_ANSWERER] : named;
  const createdAt = ctx.clock.now().toISOString();
  const message = {
    id: newId(),
    sessionId,
    parentMessageId,
    body,
    mentions,
    mentionedUserIds,
    pendingReplies: pendingRepliesTo(answering, createdAt),
    createdAt,
  };
  const hashes = await hashBody(ctx.orgId, body);
  await withTransaction(ctx, async (inner) => {
    let projectId = '';
    await enqueueReplies(inner, message.id, message.pendingReplies);
    emit(inner, {
      type: 'message.created',
      messageId: message.id,
      sessionId,
      projectId: () => projectId,
      parentMessageId,
      mentionedUserIds,
      isAnswer: false,
    });
    countPost(inner.db, ctx.jobs, ctx.orgId);
    insertMessage(
      inner,
      { ...message, authorUserId: ctx.actor.userId, hashes },
      {
        place: { slug, role: ctx.actor.role },
        explain: unplaced((db) => whyNotPosted({ ...ctx, db }, place)),
        posted(at) {
          projectId = at.projectId;
        },
      },
    );
  });
  return { ...BLANK_MESSAGE, ...message, authorUserId: ctx.actor.userId };
}

const NOBODY: Pick<PostingAccess, 'answeringNames' | 'people' | 'answersPlainly'> = {
  answeringNames: [],
  people: {},
  answersPlainly: false,
};
/** The name that stands for whoever usually answers in a session. */
const USUAL_ANSWERER = 'model';

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

export async function getMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
): Promise<{ access: MessageAccess; message: MessageRow }> {
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
    const { messageId: questionId, mention } = await requireRetryable(inner, messageId);
    const { sessionId } = message;
    const { projectId } = access;
    const { userId } = ctx.actor;
    const retried = { projectId, sessionId, questionId, mention, userId };
    await prepareFor(inner, { type: 'reply.retrying', ...retried });
    const pending = await lockPending(inner.db, ctx.orgId, { id: questionId, sessionId });
    // It may have landed before the lock was there.
    await requireRetryable(inner, messageId);
    const underWay = pending.find((entry) => entry.mention === mention && entry.retry);
    if (underWay?.stop) {
      throw conflict(
        'reply_not_failed',
        'This reply is being stopped. Retry it when it has landed.',
      );
    }
    if (underWay) return message;
    await enqueueRetry(inner, questionId, mention);
    emit(inner, { type: 'message.updated', projectId, sessionId, messageId: questionId });
    return message;
  });
}

/** By the person who asked, an OWNER or an ADMIN: it runs, and is charged, as the person who asked. */
async function requireRetryable(ctx: UserContext, replyId: string): Promise<ReplyOrigin> {
  const origin = await findReplyOrigin(ctx.db, ctx.orgId, replyId);
  if (!origin || origin.status === 'COMPLETED') {
    throw conflict('reply_not_failed', 'Only a FAILED or STOPPED reply can be retried.');
  }
  if (origin.askerUserId !== ctx.actor.userId && ctx.actor.role === 'MEMBER') {
    throw forbidden('role', 'Only the person who asked, an OWNER or an ADMIN can retry a reply.');
  }
  if (origin.isQuestionDeleted) throw conflict('message_deleted', 'The question was deleted.');
  return origin;
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

/** An edit never starts a reply and tells nobody; only a new message does. */
export async function editMessage(
  ctx: UserContext,
  slug: string,
  messageId: string,
  body: string | undefined,
): Promise<MessageRow> {
  const hashes = body === undefined ? [] : await hashBody(ctx.orgId, body);
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, slug, messageId);
    if (message.authorUserId !== ctx.actor.userId) {
      throw forbidden('role', 'Only the author can edit a message.');
    }
    requireWritable(access, message);
    if (body === undefined || body === message.body) return message;
    const people = body.includes('@')
      ? await findPeople(inner, access.projectId, handlesIn(body))
      : NOBODY.people;
    const isKnown = (slug: string) => isModelName(ctx, slug) || Object.hasOwn(people, slug);
    const mentions = parseMentions(body, isKnown);
    const mentionedUserIds = mentionedPeople(ctx, mentions, people);
    await prepareFor(inner, { type: 'message.editing', messageId });
    const edited = await updateBody(inner, message, { body, mentions, mentionedUserIds, hashes });
    if (!edited) throw messageDeleted();
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    emit(inner, { type: 'message.edited', ...changed(access, message) });
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
    const isAwaitingReplies = message.pendingReplies.length > 0;
    const deleted = changed(access, message);
    await prepareFor(inner, { type: 'message.deleting', ...deleted, isAwaitingReplies, userId });
    if (!(await eraseMessage(inner, message))) return;
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    emit(inner, { type: 'message.deleted', ...deleted });
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
    const reaction = await upsertReaction(inner, message, emoji);
    emit(inner, { type: 'message.reacted', ...changed(access, message) });
    return reaction;
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
    emit(inner, { type: 'message.reacted', ...changed(access, message) });
  });
}

/** In the commit that makes a task from the message. */
export function linkTask(
  ctx: UserContext & { db: Transaction },
  message: { id: string; sessionId: string; projectId: string },
  task: { id: string; number: number },
): void {
  linkTaskAtCommit(ctx, message, task);
  const { projectId, sessionId, id: messageId } = message;
  emit(ctx, { type: 'message.updated', projectId, sessionId, messageId });
}

function changed(
  { projectId, isMapped }: MessageAccess,
  { id: messageId, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): ChangedMessage {
  return { projectId, sessionId, messageId, isForChannel: isMapped };
}
