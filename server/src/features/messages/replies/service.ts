import { withTransaction, type Context } from '../../../core/context.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import type { OrgDb, Transaction } from '../../../db/types.ts';
import { laneInShare } from '../../../jobs/queue.ts';
import { forgetSummaryAtCommit } from '../../sessions/summaries/service.ts';
import { requestFor } from '../pending/request.ts';
import { addPendingRetryAtCommit, markStop } from '../pending/store.ts';
import { hashBody } from '../search/index-body.ts';
import type { PendingReply } from '../store.ts';
import {
  findOrgCreator,
  insertReplyAtCommit,
  replaceReply,
  type NewReply,
  type Question,
} from './store.ts';

export {
  findQuestion,
  listAnswered,
  listSpokenBefore,
  listSpokenBetween,
  listSpokenHeads,
  listThreadBefore,
  readBodies,
  type NewReply,
  type Question,
  type SpokenHead,
  type SpokenMessage,
} from './store.ts';
export { isAbout, readRequest, type ReplyRequest } from '../pending/request.ts';
export { dropPending } from '../pending/store.ts';
export type { Citation, ToolCall } from '../store.ts';

/** The job that answers one mention of one message. */
export const AGENT_REPLY = 'agent-reply';

/** At most this many mentions of one message are answered. */
const MOST_REPLIES = 5;

/** The replies that a new message waits for: one for each of the first few mentions that answer. */
export function pendingRepliesTo(answering: readonly string[], startedAt: string): PendingReply[] {
  return answering.slice(0, MOST_REPLIES).map((mention) => ({ mention, startedAt }));
}

/** One job for each pending reply. */
export async function enqueueReplies(
  ctx: Pick<Context, 'jobs' | 'orgId'> & { db: Transaction },
  messageId: string,
  pending: readonly PendingReply[],
): Promise<void> {
  if (pending.length === 0) return;
  const lane = await replyLane(ctx);
  for (const entry of pending) {
    const payload = requestFor({ orgId: ctx.orgId, messageId }, entry);
    ctx.jobs.enqueue(ctx.db, { kind: AGENT_REPLY, payload, lane });
  }
}

/**
 * A pending reply and its job, in one commit. For whoever has locked what the question waits for, and has
 * seen that it does not wait for this.
 */
export async function enqueueRetry(
  ctx: Pick<Context, 'jobs' | 'orgId' | 'clock'> & { db: Transaction },
  messageId: string,
  mention: string,
): Promise<void> {
  const entry = { mention, startedAt: ctx.clock.now().toISOString(), retry: true };
  addPendingRetryAtCommit(ctx, messageId, entry);
  await enqueueReplies(ctx, messageId, [entry]);
}

/** One lane per org, so that no org crowds out another. Orgs created by the same person share a limit. */
async function replyLane({ db, orgId }: OrgDb): Promise<string> {
  const creatorId = await findOrgCreator({ db, orgId });
  return creatorId === null ? orgId : laneInShare(creatorId, orgId);
}

/** The job that lands a stopped reply if nobody who writes it has done so. */
export const FINISH_STOP = 'finish-reply-stop';
/** Enough for the run to notice and land it, and short enough for people who wait. */
const STOP_WITHIN_MS = 1_500;

/** Tells whoever writes the reply to land what there is. False if it has landed already. */
export async function requestStop(
  ctx: Pick<Context, 'jobs' | 'orgId' | 'replies'> & { db: Transaction },
  questionId: string,
  mention: string,
): Promise<boolean> {
  if (!(await markStop(ctx, { questionId, mention }))) return false;
  const payload = { orgId: ctx.orgId, messageId: questionId, mention };
  ctx.jobs.enqueue(ctx.db, { kind: FINISH_STOP, payload, delayMs: STOP_WITHIN_MS });
  ctx.replies.requestStop(ctx, { orgId: ctx.orgId, questionId, mention });
  return true;
}

class AlreadyAnswered extends Error {}

/**
 * Writes the reply together with what `along` adds to the commit. Returns false and writes nothing if the
 * mention was answered meanwhile: each mention gets one reply, however often its job runs.
 */
export async function landReply(
  ctx: Context,
  question: Question,
  reply: NewReply,
  {
    retry,
    along,
  }: {
    /** The pending retry, if the reply replaces one. */
    retry: PendingReply | undefined;
    along: (tx: Transaction) => void;
  },
): Promise<boolean> {
  const indexed = { ...reply, hashes: await hashBody(ctx.orgId, reply.body) };
  const { projectId, taskId, id: questionId, askerUserId } = question;
  const { mention, agentSlug, status } = reply;
  const landing = { projectId, taskId, questionId, askerUserId, mention, agentSlug, status };
  try {
    await withTransaction(ctx, async (inner) => {
      const { db } = inner;
      await prepareFor(inner, { type: 'reply.landing', ...landing });
      if (!retry) insertReplyAtCommit(inner, indexed, () => new AlreadyAnswered());
      else if (!(await replaceReply(inner, indexed, retry))) throw new AlreadyAnswered();
      if (retry) forgetSummaryAtCommit(db, ctx.orgId, reply);
      emitLanded(inner, question, reply, retry !== undefined);
      along(db);
    });
    return true;
  } catch (error) {
    if (error instanceof AlreadyAnswered) return false;
    throw error;
  }
}

function emitLanded(
  ctx: Omit<Context, 'db'> & { db: Transaction },
  { id: questionId, projectId, channel }: Question,
  { id: messageId, sessionId, parentMessageId, status, createdAt }: NewReply,
  isRetry: boolean,
): void {
  const place = { projectId, sessionId };
  if (isRetry) {
    emit(ctx, { type: 'reply.replaced', ...place, messageId, isForChannel: channel !== null });
  } else {
    emit(ctx, {
      type: 'message.created',
      ...place,
      messageId,
      authorUserId: null,
      createdAt: createdAt.toISOString(),
      parentMessageId,
      mentionedUserIds: [],
      isAnswer: true,
      // Somebody who stops a reply knows about it.
      isQuiet: status === 'STOPPED',
    });
  }
  emit(ctx, { type: 'message.updated', ...place, messageId: questionId });
}
