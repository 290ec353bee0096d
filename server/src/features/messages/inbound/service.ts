import { withTransaction, type Context } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { newId } from '../../../core/ids.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import type { ChangedMessage, InSession } from '../../../events/list.ts';
import { normalizeEmoji } from '../../../text/emoji/emoji.ts';
import { attachArrivedAtCommit, detachAll } from '../../files/attaching/service.ts';
import { isModelName } from '../../mentions/service.ts';
import { followMentionedAtCommit } from '../../sessions/following/service.ts';
import { forgetSummaryAtCommit } from '../../sessions/summaries/service.ts';
import { handlesIn, NOBODY, readMentions } from '../mentioned-people.ts';
import { enqueuePreviews } from '../previews/service.ts';
import { insertMessage, unplaced } from '../posting/store.ts';
import { enqueueReplies, pendingRepliesTo } from '../replies/service.ts';
import { hashBody } from '../search/index-body.ts';
import { countPost } from '../search/index-job.ts';
import { listReactionsAtCommit } from '../reactions/store.ts';
import { eraseMessage, updateBody, type ExternalAuthor } from '../store.ts';
import { landRefusal } from './refusal.ts';
import {
  dropReaction,
  findMentionable,
  listExternalReactions,
  markWithFilesAtCommit,
  raiseVersionAtCommit,
  replaceTextAtCommit,
  saveReaction,
  type Reactor,
} from './store.ts';

export type { Reactor } from './store.ts';

export type { ExternalAuthor } from '../store.ts';

/** A session that is also a chat channel. */
export type ChannelSession = InSession;

export interface Arrival extends ChannelSession, ArrivedBody {
  parentMessageId: string | null;
  /** The member whom its author is taken for. */
  authorUserId: string | null;
  /** Who wrote it there. */
  origin: ExternalAuthor;
  /** Its files, which were stored for it. Without a text, there has to be one. */
  fileIds?: readonly string[];
  /** Whether agents answer those whom it mentions. */
  isAnswered: boolean;
  /** Asked in the message's transaction, if agents would answer it with this many replies. */
  admit: (tx: Transaction, replies: number) => Promise<Admission>;
}

/** A body, and the part of it that the author wrote: names that others chose in it mention nobody. */
export interface ArrivedBody {
  body: string;
  written: string;
}

/** If it is refused, the note says why, once. */
export type Admission = { isAdmitted: true } | { isAdmitted: false; note?: string };

class SessionClosed extends Error {}

/**
 * Posts what somebody wrote in a chat channel. `claim` runs first in the same transaction: if it returns
 * false, the message was posted before. Returns whether it was posted now; an archived session takes none.
 */
export async function postArrival(
  ctx: Context,
  arrival: Arrival,
  claim: (tx: Transaction, messageId: string) => Promise<boolean>,
): Promise<boolean> {
  const { projectId, sessionId, parentMessageId, body, authorUserId, fileIds = [] } = arrival;
  const createdAt = ctx.clock.now().toISOString();
  const { mentions, mentionedUserIds, answering } = await readArrived(ctx, arrival, authorUserId);
  const message = {
    id: newId(),
    sessionId,
    parentMessageId,
    authorUserId,
    externalAuthor: arrival.origin,
    body,
    mentions,
    mentionedUserIds,
    createdAt,
    hashes: await hashBody(ctx.orgId, body),
    ...(fileIds.length > 0 && { hasFiles: true }),
  };
  const asked = pendingRepliesTo(arrival.isAnswered ? answering : [], createdAt);
  return withTransaction(ctx, async (inner) => {
    if (!(await claim(inner.db, message.id))) return false;
    const [first] = asked;
    const admission: Admission = first
      ? await arrival.admit(inner.db, asked.length)
      : { isAdmitted: true };
    const pendingReplies = admission.isAdmitted ? asked : [];
    await enqueueReplies(inner, message.id, pendingReplies);
    emit(inner, {
      type: 'message.created',
      messageId: message.id,
      projectId,
      sessionId,
      authorUserId,
      createdAt,
      parentMessageId,
      mentionedUserIds,
      isAnswer: false,
    });
    countPost(inner.db, ctx.jobs, ctx.orgId);
    const explain = unplaced(() => new SessionClosed());
    insertMessage(inner, { ...message, pendingReplies }, { place: 'open session', explain });
    if (fileIds.length > 0) attachArrivedAtCommit(inner, { messageId: message.id, fileIds });
    if (mentionedUserIds.length > 0) followMentionedAtCommit(inner, message);
    enqueuePreviews(inner, message.id, body);
    if (first && !admission.isAdmitted && admission.note !== undefined) {
      await landRefusal(inner, { ...message, projectId }, first.mention, admission.note);
    }
    return true;
  }).catch((error: unknown) => {
    if (error instanceof SessionClosed) return false;
    throw error;
  });
}

async function readArrived(
  ctx: Context,
  { sessionId, written }: Pick<Arrival, 'sessionId' | 'written'>,
  userId: string | null,
) {
  const found = written.includes('@')
    ? await findMentionable(ctx, sessionId, handlesIn(written), userId !== null)
    : NOBODY;
  const { answeringNames, people } = found ?? NOBODY;
  const names = new Set(answeringNames);
  const answers = (slug: string) => isModelName(ctx, slug) || names.has(slug);
  const read = await readMentions(ctx, written, { sessionId, people, answers });
  return { ...read, answering: read.mentions.filter(answers) };
}

/** A message that came from a channel, or went there. */
export interface SharedMessage extends ChannelSession {
  id: string;
}

/** As its author has edited it there. Like any edit, it starts no reply and tells nobody. */
export async function editArrived(
  ctx: Context,
  message: SharedMessage,
  { body, written }: ArrivedBody,
  along: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const { mentions, mentionedUserIds } = await readArrived(ctx, { ...message, written }, null);
  const hashes = await hashBody(ctx.orgId, body);
  await withTransaction(ctx, async (inner) => {
    await prepareFor(inner, { type: 'message.editing', messageId: message.id });
    await along(inner.db);
    const changes = { body, mentions, mentionedUserIds, broadcast: null, hashes };
    if (!(await updateBody(inner, message, changes))) return;
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    enqueuePreviews(inner, message.id, body);
    emit(inner, { type: 'message.edited', ...changed(message) });
  });
}

/** A change that nobody wrote: the first of these texts that it has is replaced, and a file comes with it. */
export interface Amendment {
  texts: readonly { text: string; by: string }[];
  fileId?: string;
}

/** `claim` runs first in the same transaction: if it returns false, nothing happens. */
export async function amendArrived(
  ctx: Context,
  message: SharedMessage,
  { texts, fileId }: Amendment,
  claim: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await claim(inner.db))) return;
    raiseVersionAtCommit(inner, message);
    const fileIds = fileId === undefined ? [] : [fileId];
    if (fileId !== undefined) attachArrivedAtCommit(inner, { messageId: message.id, fileIds });
    for (const replaced of texts) replaceTextAtCommit(inner, message, replaced);
    if (fileId !== undefined) markWithFilesAtCommit(inner, message);
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    const { id: messageId, projectId, sessionId } = message;
    emit(inner, { type: 'message.updated', projectId, sessionId, messageId });
  });
}

/** As its author has deleted it there. */
export async function eraseArrived(
  ctx: Context,
  message: SharedMessage,
  along: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    await along(inner.db);
    await detachAll(inner, message.id);
    if (!(await eraseMessage(inner, message))) return;
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    emit(inner, { type: 'message.deleted', ...changed(message) });
  });
}

/** A reaction that was added or removed there. One too many, or an emoji that is not on the list, is ignored. */
export async function saveArrivedReaction(
  ctx: Context,
  message: SharedMessage,
  reaction: Reactor & { emoji: string; isSet: boolean },
): Promise<void> {
  const emoji = normalizeEmoji(reaction.emoji);
  if (emoji === undefined) return;
  try {
    await withTransaction(ctx, async (inner) => {
      if (reaction.isSet) await saveReaction(inner, message.id, emoji, reaction);
      else await dropReaction(inner, message.id, emoji, reaction);
      listReactionsAtCommit(inner, message, () => new OneTooMany());
      emit(inner, { type: 'message.reacted', ...changed(message) });
    });
  } catch (error) {
    if (!(error instanceof OneTooMany)) throw error;
  }
}

class OneTooMany extends Error {}

/** The reactions that were made there, as known here. */
export { listExternalReactions };

/** The channel has the change already. */
function changed({ projectId, sessionId, id: messageId }: SharedMessage): ChangedMessage {
  return { projectId, sessionId, messageId, isForChannel: false };
}
