import { findQuestion, type Question } from '../messages/replies/service.ts';
import { gatherPrompt } from './gather.ts';
import { landOutcome } from './land.ts';
import { completed, failed, type Outcome } from './outcome.ts';
import { answerFromRecall, RECALL } from './recall.ts';
import type { AgentContext, ReplyJob, RunLimits } from './reply-job.ts';
import { createReservation } from './reserve.ts';
import { resolveAnswerer } from './resolve.ts';
import { runAnswerer } from './run.ts';

/**
 * Answers one mention of one message with one AGENT message, however often it runs. A model's failure
 * lands as a FAILED reply. It throws only what running the job again may fix.
 */
export async function answerMention(
  ctx: AgentContext,
  job: ReplyJob,
  signal: AbortSignal,
): Promise<void> {
  const question = await findQuestion(ctx.db, job.orgId, job.messageId, job.mention);
  if (!question || !isOpen(question, job)) return;
  const startedAt = performance.now();
  const outcome = await makeReply(ctx, question, job, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(ctx.deadlineMs)]),
    endsAt: startedAt + ctx.deadlineMs,
  });
  signal.throwIfAborted();
  await landOutcome(ctx, question, job, outcome, performance.now() - startedAt);
}

/** For a job that has no attempts left: lands a FAILED reply, so that the people who asked know. */
export async function giveUp(ctx: AgentContext, job: ReplyJob): Promise<void> {
  const question = await findQuestion(ctx.db, job.orgId, job.messageId, job.mention);
  if (!question || !isOpen(question, job)) return;
  const { slug } = await resolveAnswerer(ctx, question, job.mention);
  const message = 'The server failed too many times. Try again.';
  await landOutcome(ctx, question, job, failed(slug, { code: 'gave_up', message }), 0);
}

/** A deleted question needs no reply, and an answered one needs no second. */
function isOpen(question: Question, job: ReplyJob): boolean {
  if (question.deletedAt !== null) return false;
  if (question.replyId === null) return true;
  return job.retry === true && question.replyStatus === 'FAILED' && !question.replyDeletedAt;
}

async function makeReply(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  limits: RunLimits,
): Promise<Outcome> {
  const answerer = await resolveAnswerer(ctx, question, job.mention);
  if ('failure' in answerer) return failed(answerer.slug, answerer.failure);
  if (answerer.model === RECALL) {
    return completed(answerer.slug, await answerFromRecall(ctx, question));
  }
  const model = await ctx.models.load(answerer.model);
  if (!model) throw new Error(`the model ${answerer.model} is registered but cannot be loaded`);
  const prompt = await gatherPrompt(ctx, question, answerer);
  const reservation = createReservation(ctx, job, model.creditsPer1kTokens);
  const outcome = await runAnswerer(answerer, { model, prompt, reservation, ...limits });
  return prompt.needsSummary ? { ...outcome, summaryBy: answerer.model } : outcome;
}
