import { withTransaction, type UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { conflict, forbidden, invalidValue, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit, prepareFor } from '../../events/emit.ts';
import type { ChangedMessage } from '../../events/list.ts';
import { normalizeEmoji } from '../../text/emoji/emoji.ts';
import { broadcastIn } from '../../text/group-words.ts';
import { sessionNameFrom } from '../../text/session-name.ts';
import { isModelName } from '../mentions/service.ts';
import { DIRECT_SLUG } from '../../access/direct.ts';
import { requireProject } from '../../access/project.ts';
import { nameSessionAtCommit, sessionArchived } from '../sessions/service.ts';
import { followMentionedAtCommit } from '../sessions/following/service.ts';
import { forgetSummaryAtCommit } from '../sessions/summaries/service.ts';
import { handlesIn, NOBODY, readMentions } from './mentioned-people.ts';
import {
  badParent,
  branchInactive,
  messageDeleted,
  requireWritable,
  requireWritableSession,
} from './policy.ts';
import { insertMessage, unplaced } from './posting/store.ts';
import {
  enqueueReplies,
  enqueueRetry,
  findQuestion,
  pendingRepliesTo,
  requestStop,
} from './replies/service.ts';
import { enqueuePreviews, setHidden } from './previews/service.ts';
import { deleteReaction, upsertReaction, type ReactionRow } from './reactions/store.ts';
import { findReplyOrigin, type ReplyOrigin } from './replies/store.ts';
import { lockPending } from './pending/store.ts';
import type {
  CreateMessage,
  CreateReaction,
  MessagePath,
  ReactionPath,
  ReplyPath,
  SessionMessagesPath,
  UpdateMessage,
} from './schema.ts';
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

export { listMessages } from './pages/service.ts';
export { listThreads } from './threads/store.ts';

export interface PostingChoice {
  id?: string;
  /** Only this name answers, whoever else is mentioned. */
  asked?: string | undefined;
  /** Whether the author wrote it themselves. Programs that write for people reach nobody by @here or @everyone. */
  byPerson?: boolean;
}

export async function postMessage(
  ctx: UserContext,
  { slug, sessionId }: SessionMessagesPath,
  input: CreateMessage,
  { asked, byPerson = false, id = newId() }: PostingChoice = {},
): Promise<MessageRow> {
  const { body, parentMessageId = null } = input;
  const place = { slug, sessionId, parentMessageId };
  const addressed = await readAddressed(ctx, place, body, { asked, byPerson });
  const hashes = await hashBody(ctx.orgId, body);
  return withTransaction(ctx, (inner) => writePost(inner, place, { id, body, hashes, addressed }));
}

/** The name that stands for whoever usually answers in a session. */
export const USUAL_ANSWERER = 'model';

/** Whom a message is for. */
interface Addressed extends Pick<MessageRow, 'mentions' | 'mentionedUserIds' | 'broadcast'> {
  answering: readonly string[];
  /** Set if the message may give its session a name. */
  sessionName?: string | undefined;
}

export async function readAddressed(
  ctx: UserContext,
  place: PostingPlace,
  body: string,
  { asked, byPerson = false }: Omit<PostingChoice, 'id'> = {},
): Promise<Addressed> {
  // A plain message needs nothing read first: the statement that inserts also checks.
  const { answeringNames, people, answersPlainly, isUnnamed, mayBroadcast, takenNames } =
    body.includes('@') || ctx.actor.hasPlainQuestions
      ? requirePlace(await findPostingAccess(ctx, place, handlesIn(body)), place)
      : NOBODY;
  const known = new Set(answeringNames);
  const answers = (slug: string) =>
    (asked === undefined || slug === asked) && (isModelName(ctx, slug) || known.has(slug));
  const mentionable = { sessionId: place.sessionId, people, answers };
  const { mentions, mentionedUserIds } = await readMentions(ctx, body, mentionable);
  const isTaken = (word: string) =>
    takenNames.includes(word) || known.has(word) || isModelName(ctx, word);
  const broadcast = byPerson && mayBroadcast ? broadcastIn(mentions, isTaken) : null;
  const named = mentions.filter(answers);
  const isPlain = asked === undefined && named.length === 0 && mentionedUserIds.length === 0;
  const answering = isPlain && answersPlainly ? [USUAL_ANSWERER] : named;
  const sessionName = isUnnamed ? sessionNameFrom(body) : undefined;
  return { mentions, mentionedUserIds, broadcast, answering, sessionName };
}

interface Post {
  id: string;
  body: string;
  hashes: readonly number[];
  addressed: Addressed;
  /** Set if a question is asked again. */
  turnId?: string;
}

/** Adds a person's message, and everything that comes with it, to the commit. */
export async function writePost(
  ctx: UserContext & { db: Transaction },
  place: PostingPlace,
  { id, body, hashes, addressed, turnId }: Post,
): Promise<MessageRow> {
  const { slug, sessionId, parentMessageId } = place;
  const { mentions, mentionedUserIds, broadcast, answering, sessionName } = addressed;
  const { userId: authorUserId, role } = ctx.actor;
  const createdAt = ctx.clock.now().toISOString();
  const pendingReplies = pendingRepliesTo(answering, createdAt);
  const written = { id, sessionId, parentMessageId, body, mentions, mentionedUserIds, createdAt };
  const said = broadcast === null ? written : { ...written, broadcast };
  const message = { ...said, authorUserId, pendingReplies };
  let projectId = '';
  const inProject = { sessionId, projectId: () => projectId };
  await enqueueReplies(ctx, id, pendingReplies);
  emit(ctx, {
    type: 'message.created',
    messageId: id,
    ...inProject,
    authorUserId,
    createdAt,
    parentMessageId,
    mentionedUserIds,
    broadcast,
    isAnswer: false,
    isDirect: slug === DIRECT_SLUG,
  });
  countPost(ctx.db, ctx.jobs, ctx.orgId);
  const tail = turnId === undefined ? { hashes } : { hashes, turnId };
  insertMessage(
    ctx,
    { ...message, ...tail },
    {
      place: { slug, role },
      explain: unplaced((db) => whyNotPosted({ ...ctx, db }, place)),
      posted(at) {
        projectId = at.projectId;
      },
    },
  );
  if (mentionedUserIds.length > 0) followMentionedAtCommit(ctx, message);
  enqueuePreviews(ctx, id, body);
  if (sessionName !== undefined) {
    const naming = { name: sessionName, turnId: turnId ?? id };
    nameSessionAtCommit(ctx.db, ctx.orgId, sessionId, naming);
    emit(ctx, { type: 'session.named', ...inProject });
  }
  return { ...BLANK_MESSAGE, ...message };
}

export function requirePlace(
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
  { slug, messageId }: MessagePath,
): Promise<{ access: MessageAccess; message: MessageRow }> {
  const found = await findMessage(ctx, slug, messageId);
  requireProject(found?.access);
  if (!found?.message) throw notFound('This message');
  return { access: found.access, message: found.message };
}

/** Runs a FAILED or STOPPED reply again. The message stays the same, so each mention still has one reply. */
export async function retryReply(ctx: UserContext, path: MessagePath): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireWritable(access, message);
    const { messageId: questionId, mention } = await requireRetryable(inner, message.id);
    const place = { projectId: access.projectId, sessionId: message.sessionId };
    const { userId } = ctx.actor;
    await prepareFor(inner, { type: 'reply.retrying', ...place, questionId, mention, userId });
    const pending = await lockPending(inner, { ...place, id: questionId });
    // It may have landed before the lock was there.
    await requireRetryable(inner, message.id);
    const underWay = pending.find((entry) => entry.mention === mention && entry.retry);
    if (underWay?.stop) {
      throw conflict(
        'reply_not_failed',
        'This reply is being stopped. Retry it when it has landed.',
      );
    }
    if (underWay) return message;
    await enqueueRetry(inner, questionId, mention);
    emit(inner, { type: 'message.updated', ...place, messageId: questionId });
    return message;
  });
}

/** By the person who asked, an OWNER or an ADMIN: it runs, and is charged, as the person who asked. */
async function requireRetryable(ctx: UserContext, replyId: string): Promise<ReplyOrigin> {
  const origin = await findReplyOrigin(ctx, replyId);
  if (!origin || origin.status === 'COMPLETED') {
    throw conflict('reply_not_failed', 'Only a FAILED or STOPPED reply can be retried.');
  }
  if (origin.askerUserId !== ctx.actor.userId && ctx.actor.role === 'MEMBER') {
    throw forbidden('role', 'Only the person who asked, an OWNER or an ADMIN can retry a reply.');
  }
  if (origin.isAside) throw branchInactive();
  if (origin.isQuestionDeleted) throw conflict('message_deleted', 'The question was deleted.');
  return origin;
}

/** What was written until now lands as a STOPPED reply, in whichever process it is written. */
export async function stopReply(ctx: UserContext, path: ReplyPath): Promise<MessageRow> {
  const { messageId, mention } = path;
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    if (message.authorUserId !== ctx.actor.userId && ctx.actor.role === 'MEMBER') {
      throw forbidden('role', 'Only the person who asked, an OWNER or an ADMIN can stop a reply.');
    }
    requireWritable(access, message);
    const isPending = message.pendingReplies.some((pending) => pending.mention === mention);
    if (isPending && (await requestStop(inner, messageId, mention))) return message;
    const question = await findQuestion(inner, messageId, mention);
    if (question?.replyId == null) throw notFound('This reply');
    throw conflict('reply_ended', 'This reply has ended. There is nothing to stop.');
  });
}

/** An edit never starts a reply and tells nobody; only a new message does. */
export async function editMessage(
  ctx: UserContext,
  path: MessagePath,
  { body, hidePreviews }: UpdateMessage,
): Promise<MessageRow> {
  const hashes = body === undefined ? [] : await hashBody(ctx.orgId, body);
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireEditor(ctx, message, hidePreviews !== undefined && body === undefined);
    requireWritable(access, message);
    const edited =
      body === undefined || body === message.body
        ? message
        : await replaceBody(inner, { access, message }, body, hashes);
    if (hidePreviews === undefined) return edited;
    await setHidden(inner, message, hidePreviews);
    if (!hidePreviews) enqueuePreviews(inner, message.id, edited.body);
    const { projectId } = access;
    emit(inner, {
      type: 'message.updated',
      projectId,
      sessionId: message.sessionId,
      messageId: message.id,
    });
    return hidePreviews ? { ...edited, previews: [] } : edited;
  });
}

/** What a page says is the author's as little as anybody's, so those who may delete a message may hide it. */
function requireEditor(
  { actor }: UserContext,
  { authorUserId }: MessageRow,
  isAboutPreviews: boolean,
): void {
  if (authorUserId === actor.userId || (isAboutPreviews && actor.role !== 'MEMBER')) return;
  const message = isAboutPreviews
    ? 'Only the author, an OWNER or an ADMIN can hide the previews of a message.'
    : 'Only the author can edit a message.';
  throw forbidden('role', message);
}

async function replaceBody(
  inner: UserContext & { db: Transaction },
  { access, message }: { access: MessageAccess; message: MessageRow },
  body: string,
  hashes: readonly number[],
): Promise<MessageRow> {
  const { sessionId } = message;
  const people = body.includes('@')
    ? await findPeople(inner, sessionId, handlesIn(body))
    : NOBODY.people;
  const mentionable = { sessionId, people, answers: () => false };
  const { mentions, mentionedUserIds } = await readMentions(inner, body, mentionable);
  // One that an edit adds would reach nobody.
  const broadcast = broadcastIn(mentions, (word) => word !== message.broadcast?.toLowerCase());
  await prepareFor(inner, { type: 'message.editing', messageId: message.id });
  const changes = { body, mentions, mentionedUserIds, broadcast, hashes };
  const edited = await updateBody(inner, message, changes);
  if (!edited) throw messageDeleted();
  forgetSummaryAtCommit(inner.db, inner.orgId, message);
  enqueuePreviews(inner, message.id, body);
  emit(inner, { type: 'message.edited', ...changed(access, message) });
  return edited;
}

export async function deleteMessage(ctx: UserContext, path: MessagePath): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
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
  path: MessagePath,
  input: CreateReaction,
): Promise<ReactionRow> {
  const emoji = normalizeEmoji(input.emoji);
  if (emoji === undefined) {
    const message = 'must be one emoji that Unicode 16.0 recommends, such as 🎉 or 👍🏽';
    throw invalidValue('body.emoji', message);
  }
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireWritable(access, message);
    const reaction = await upsertReaction(inner, message, emoji);
    emit(inner, { type: 'message.reacted', ...changed(access, message) });
    return reaction;
  });
}

export async function unreact(ctx: UserContext, path: ReactionPath): Promise<void> {
  const emoji = normalizeEmoji(path.emoji);
  if (emoji === undefined) throw notFound('This reaction');
  await withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
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
