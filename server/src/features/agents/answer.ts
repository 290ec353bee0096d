import { findQuestion, type Question } from '../messages/replies/service.ts';
import { RECALL } from './answerer.ts';
import { gatherPrompt } from './gather.ts';
import { landOutcome } from './land.ts';
import type { Draft } from './draft.ts';
import { completed, failed, stopped, type Outcome } from './outcome.ts';
import { answerFromRecall } from './recall.ts';
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
  const { orgId, messageId: questionId, mention } = job;
  // Before the question is read: from then on, a stop is either in what was read or arrives here.
  const reply = ctx.openReplies.open({ orgId, questionId, mention });
  let hasLanded = false;
  try {
    const question = await findQuestion(ctx.db, orgId, questionId, mention);
    if (!question || !isOpen(question, job)) return;
    if (question.pending?.stop) return await landStopped(ctx, question, job);
    const startedAt = performance.now();
    const { projectId, sessionId } = question;
    const draft = reply.show({ orgId, projectId, sessionId, questionId, mention });
    const outcome = await makeReply(ctx, question, job, draft, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ctx.deadlineMs)]),
      endsAt: startedAt + ctx.deadlineMs,
      stop: reply.stop,
    });
    signal.throwIfAborted();
    draft.flush();
    await landOutcome(ctx, question, job, outcome, performance.now() - startedAt);
    hasLanded = true;
  } finally {
    reply.close(hasLanded);
  }
}

/**
 * Runs a moment after somebody stopped a reply. Whoever writes it has landed it by then. Otherwise it has
 * not begun, or its process has died, and lands here.
 */
export async function finishStop(ctx: AgentContext, job: ReplyJob): Promise<void> {
  const question = await findQuestion(ctx.db, job.orgId, job.messageId, job.mention);
  if (!question?.pending?.stop) return;
  const stoppedJob = { ...job, retry: question.pending.retry };
  if (isOpen(question, stoppedJob)) await landStopped(ctx, question, stoppedJob);
}

async function landStopped(ctx: AgentContext, question: Question, job: ReplyJob): Promise<void> {
  const { slug } = await resolveAnswerer(ctx, question, job.mention);
  await landOutcome(ctx, question, job, stopped(slug, { body: '', citations: [] }), 0);
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
  // A retry that was stopped before it began has nothing left to do.
  if (!job.retry || !question.pending?.retry || question.replyDeletedAt) return false;
  return question.replyStatus !== 'COMPLETED';
}

async function makeReply(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  draft: Draft,
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
  const watcher = draft;
  const outcome = await runAnswerer(answerer, { model, prompt, reservation, watcher, ...limits });
  return prompt.needsSummary ? { ...outcome, summaryBy: answerer.model } : outcome;
}
