import { withTransaction, type UserContext } from '../../../core/context.ts';
import { conflict, forbidden, notFound } from '../../../core/errors.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import { lockPending } from '../pending/store.ts';
import { branchInactive, requireWritable } from '../policy.ts';
import type { MessagePath, ReplyPath } from '../schema.ts';
import { getMessage } from '../service.ts';
import type { MessageRow } from '../store.ts';
import { enqueueRetry, findQuestion, requestStop } from './service.ts';
import { findReplyOrigin, type ReplyOrigin } from './store.ts';

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
