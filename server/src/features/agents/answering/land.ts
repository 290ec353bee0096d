import type { Transaction } from '../../../db/types.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { recordUnpaid } from '../../billing/service.ts';
import { landReply, type NewReply, type Question } from '../../messages/replies/service.ts';
import { saveResultAtCommit } from '../../models/service.ts';
import type { Outcome } from './outcome.ts';
import type { AgentContext, ReplyJob } from './reply-job.ts';
import { settleReservation } from './reserve.ts';
import { enqueueSummary } from '../reading/summarise.ts';

/** The last stop: writes the reply, its price and its usage in one commit. */
export async function landOutcome(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  outcome: Outcome,
  elapsedMs: number,
): Promise<void> {
  const { model, inputTokens, outputTokens, credits, summaryBy, isModelResult, ...rest } = outcome;
  const { unpaidCredits = 0, ...written } = rest;
  const reply: NewReply = {
    ...written,
    id: question.replyId ?? newId(),
    sessionId: question.sessionId,
    parentMessageId: question.parentMessageId,
    inReplyToMessageId: question.id,
    mention: job.mention,
    usage: { inputTokens, outputTokens, credits, latencyMs: Math.round(elapsedMs) },
    createdAt: ctx.clock.now(),
  };
  const retry = question.replyId === null ? undefined : (question.pending ?? undefined);
  const hasLanded = await landReply(ctx, question, reply, {
    retry,
    along(tx) {
      if (isModelResult) saveResult(tx, ctx.orgId, model, reply);
      if (reply.status === 'FAILED') {
        if (unpaidCredits > 0) recordUnpaid(tx, ctx.orgId, unpaidCredits, ctx.clock.now());
        return settleReservation(tx, job, undefined);
      }
      if (summaryBy) enqueueSummary({ ...ctx, db: tx }, question.sessionId, summaryBy);
      if (credits > 0) emit({ ...ctx, db: tx }, { type: 'credits.changed' });
      settleReservation(tx, job, {
        messageId: reply.id,
        retriedAt: retry?.startedAt,
        userId: question.chargedUserId,
        model,
        inputTokens,
        outputTokens,
        credits,
      });
    },
  });
  // Its question was deleted meanwhile, for example. Somebody has paid the provider.
  const lost = hasLanded ? 0 : credits + unpaidCredits;
  if (lost > 0) {
    await ctx.db.transaction(async (tx) => recordUnpaid(tx, ctx.orgId, lost, ctx.clock.now()));
  }
}

function saveResult(tx: Transaction, orgId: string, model: string, reply: NewReply): void {
  const { status, error, createdAt: at } = reply;
  if (status !== 'STOPPED') saveResultAtCommit(tx, orgId, { model, status, error, at });
}
