import { withTransaction, type UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit, prepareFor } from '../../events/emit.ts';
import type { ChangedMessage } from '../../events/list.ts';
import { broadcastIn } from '../../text/group-words.ts';
import { escapeMarkdown } from '../../text/plain-text.ts';
import { sessionNameFrom } from '../../text/session-name.ts';
import {
  attachAtCommit,
  detachAll,
  requireAttachable,
  type AttachmentRow,
} from '../files/attaching/service.ts';
import { isModelName } from '../mentions/service.ts';
import { DIRECT_SLUG } from '../../access/direct.ts';
import { requireProject } from '../../access/project.ts';
import { nameSessionAtCommit, sessionArchived } from '../sessions/service.ts';
import { followMentionedAtCommit } from '../sessions/following/service.ts';
import { forgetSummaryAtCommit } from '../sessions/summaries/service.ts';
import { handlesIn, NOBODY, readMentions } from './mentioned-people.ts';
import {
  badParent,
  messageDeleted,
  requireContent,
  requireWritable,
  requireWritableSession,
} from './policy.ts';
import { insertMessage, unplaced } from './posting/store.ts';
import { enqueueReplies, pendingRepliesTo } from './replies/service.ts';
import { enqueuePreviews, setHidden } from './previews/service.ts';
import type { CreateMessage, MessagePath, SessionMessagesPath, UpdateMessage } from './schema.ts';
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
  const { parentMessageId = null, fileIds = [] } = input;
  const body = requireContent(input.body, fileIds.length > 0);
  const place = { slug, sessionId, parentMessageId };
  const attachments = await readFiles(ctx, place, fileIds);
  const addressed = await readAddressed(ctx, place, body, { asked, byPerson, attachments });
  const hashes = await hashBody(ctx.orgId, body);
  const post = { id, body, hashes, addressed, attachments };
  return withTransaction(ctx, (inner) => writePost(inner, place, post));
}

/** Files of another Project are nothing that exists there. Whether the place does comes first. */
export async function readFiles(
  ctx: UserContext,
  place: PostingPlace,
  fileIds: readonly string[],
): Promise<AttachmentRow[]> {
  try {
    return await requireAttachable(ctx, { slug: place.slug }, fileIds);
  } catch (error) {
    requirePlace(await findPostingAccess(ctx, place), place);
    throw error;
  }
}

/** The name that stands for whoever usually answers in a session. */
export const USUAL_ANSWERER = 'model';

/** Whom a message is for. */
interface Addressed extends Pick<MessageRow, 'mentions' | 'mentionedUserIds' | 'broadcast'> {
  answering: readonly string[];
  /** Set if the message may give its session a name. */
  sessionName?: string | undefined;
}

interface AddressedChoice extends Omit<PostingChoice, 'id'> {
  /** Without a text, its session is named after the first one. */
  attachments?: readonly AttachmentRow[];
}

export async function readAddressed(
  ctx: UserContext,
  place: PostingPlace,
  body: string,
  { asked, byPerson = false, attachments = [] }: AddressedChoice = {},
): Promise<Addressed> {
  const firstFile = escapeMarkdown(attachments[0]?.name ?? '');
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
  const sessionName = isUnnamed ? sessionNameFrom(body || firstFile) : undefined;
  return { mentions, mentionedUserIds, broadcast, answering, sessionName };
}

interface Post {
  id: string;
  body: string;
  hashes: readonly number[];
  addressed: Addressed;
  /** Which the caller has just been allowed to attach. */
  attachments: readonly AttachmentRow[];
  /** Set if a question is asked again. */
  turnId?: string;
}

/** Adds a person's message, and everything that comes with it, to the commit. */
export async function writePost(
  ctx: UserContext & { db: Transaction },
  place: PostingPlace,
  { id, body, hashes, addressed, attachments, turnId }: Post,
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
  const tail = {
    hashes,
    ...(turnId !== undefined && { turnId }),
    ...(attachments.length > 0 && { hasFiles: true }),
  };
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
  if (attachments.length > 0) {
    const fileIds = attachments.map(({ fileId }) => fileId);
    attachAtCommit(ctx, { slug }, { messageId: id, fileIds });
  }
  if (mentionedUserIds.length > 0) followMentionedAtCommit(ctx, message);
  enqueuePreviews(ctx, id, body);
  if (sessionName !== undefined) {
    const naming = { name: sessionName, turnId: turnId ?? id };
    nameSessionAtCommit(ctx.db, ctx.orgId, sessionId, naming);
    emit(ctx, { type: 'session.named', ...inProject });
  }
  return { ...BLANK_MESSAGE, ...message, attachments: [...attachments] };
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

/** An edit never starts a reply and tells nobody; only a new message does. */
export async function editMessage(
  ctx: UserContext,
  path: MessagePath,
  { body: given, hidePreviews }: UpdateMessage,
): Promise<MessageRow> {
  const hashes = given === undefined ? [] : await hashBody(ctx.orgId, given);
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireEditor(ctx, message, hidePreviews !== undefined && given === undefined);
    requireWritable(access, message);
    const hasFiles = message.attachments.length > 0;
    const body = given === undefined ? undefined : requireContent(given, hasFiles);
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
    if (message.attachments.length > 0) await detachAll(inner, message.id);
    if (!(await eraseMessage(inner, message))) return;
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    emit(inner, { type: 'message.deleted', ...deleted });
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

export function changed(
  { projectId, isMapped }: MessageAccess,
  { id: messageId, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): ChangedMessage {
  return { projectId, sessionId, messageId, isForChannel: isMapped };
}
