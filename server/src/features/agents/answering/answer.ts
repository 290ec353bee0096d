import { findTwins } from '../../../jobs/store.ts';
import { mayFailMore } from '../../billing/service.ts';
import { loadModel } from '../../models/service.ts';
import {
  AGENT_REPLY,
  dropPending,
  findQuestion,
  isAbout,
  type Question,
} from '../../messages/replies/service.ts';
import { RECALL } from './answerer.ts';
import { collectPrompt } from '../reading/collect-prompt.ts';
import { landOutcome } from './land.ts';
import type { ReplyFeed } from './reply-feed.ts';
import { completed, failed, stopped, type Failure, type Outcome } from './outcome.ts';
import { answerFromRecall } from './recall.ts';
import type { AgentContext, ReplyJob, RunLimits } from './reply-job.ts';
import { createReservation } from './reserve.ts';
import { resolveAnswerer } from './resolve.ts';
import { runAnswerer } from './run.ts';
import { isStillReader } from '../store.ts';

/**
 * Answers one mention of one message with one AGENT message, however often it runs. A model's failure
 * lands as a FAILED reply. It throws only what running the job again may fix.
 */
export async function answerMention(
  ctx: AgentContext,
  job: ReplyJob,
  { id, signal }: { id: number; signal: AbortSignal },
): Promise<void> {
  if (await isAnotherJobs(ctx, id, job)) return;
  const { orgId, messageId: questionId, mention } = job;
  // Before the question is read: from then on, a stop is either in what was read or arrives here.
  const reply = ctx.openReplies.open({ orgId, questionId, mention });
  let hasLanded = false;
  try {
    const question = await findQuestion(ctx, questionId, mention);
    if (!question || !isOpen(question, job)) return await dropStale(ctx, question, job);
    if (question.pending?.stop) return await landStopped(ctx, question, job);
    const startedAt = performance.now();
    const { projectId, sessionId } = question;
    const feed = reply.show({ orgId, projectId, sessionId, questionId, mention });
    const outcome = await makeReply(ctx, question, job, feed, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ctx.deadlineMs)]),
      endsAt: startedAt + ctx.deadlineMs,
      stop: reply.stop,
    });
    signal.throwIfAborted();
    feed.flush();
    await landOutcome(ctx, question, job, outcome, performance.now() - startedAt);
    hasLanded = true;
  } finally {
    reply.close(hasLanded);
  }
}

/**
 * Whether another job is writing the same reply, so that the model is asked once. The older one goes on. It
 * waits for the younger if that one has begun, and takes over if its lease expires.
 */
async function isAnotherJobs(ctx: AgentContext, id: number, payload: ReplyJob): Promise<boolean> {
  const twins = await findTwins(ctx.db, { id, kind: AGENT_REPLY, payload });
  if (twins.some((twin) => twin < id)) return true;
  if (twins.length > 0) throw new Error('another job is writing this reply');
  return false;
}

/** Nobody waits for what needs no reply: its reply was completed or deleted. */
async function dropStale(
  ctx: AgentContext,
  question: Question | undefined,
  job: ReplyJob,
): Promise<void> {
  const { id, pending } = question ?? {};
  if (id && pending && isAbout(job, pending)) await dropPending(ctx, id, pending);
}

/**
 * Runs a moment after somebody stopped a reply. Whoever writes it has landed it by then. Otherwise it has
 * not begun, or its process has died, and lands here.
 */
export async function finishStop(ctx: AgentContext, job: ReplyJob): Promise<void> {
  const question = await findQuestion(ctx, job.messageId, job.mention);
  if (!question?.pending?.stop) return;
  const { retry, startedAt } = question.pending;
  const stoppedJob = { ...job, retry, startedAt };
  if (isOpen(question, stoppedJob)) await landStopped(ctx, question, stoppedJob);
}

async function landStopped(ctx: AgentContext, question: Question, job: ReplyJob): Promise<void> {
  const { slug } = await resolveAnswerer(ctx, question, job.mention);
  await landOutcome(ctx, question, job, stopped(slug, { body: '', citations: [] }), 0);
}

/** For a job that has no attempts left: lands a FAILED reply, so that the people who asked know. */
export async function giveUp(ctx: AgentContext, job: ReplyJob): Promise<void> {
  const question = await findQuestion(ctx, job.messageId, job.mention);
  if (!question || !isOpen(question, job)) return await dropStale(ctx, question, job);
  const { slug } = await resolveAnswerer(ctx, question, job.mention);
  const message = 'The server failed too many times. Try again.';
  await landOutcome(ctx, question, job, failed(slug, { code: 'gave_up', message }), 0);
}

/** A deleted question needs no reply, and an answered one needs no second. */
function isOpen(question: Question, job: ReplyJob): boolean {
  if (question.deletedAt !== null) return false;
  if (question.replyId === null) return true;
  // A retry that was stopped before it began has nothing left to do.
  if (!question.pending?.retry || !isAbout(job, question.pending)) return false;
  if (question.replyDeletedAt !== null) return false;
  return question.replyStatus !== 'COMPLETED';
}

/** It was removed since the answerer was found. */
function modelGone(slug: string): Failure {
  return { code: 'model_unknown', message: `"${slug}" is not a configured model any more.` };
}

const TOO_MANY_FAILURES: Failure = {
  code: 'too_many_failures',
  message:
    'Replies that failed have used too much of the models in the last day, and cost nothing. Try again tomorrow.',
};

async function makeReply(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  feed: ReplyFeed,
  limits: RunLimits,
): Promise<Outcome> {
  const answerer = await resolveAnswerer(ctx, question, job.mention);
  if ('failure' in answerer) return failed(answerer.slug, answerer.failure);
  if (answerer.model === RECALL) {
    return completed(answerer.slug, await answerFromRecall(ctx, question, limits));
  }
  const model = await loadModel(ctx, answerer.model);
  if (!model) return failed(answerer.slug, modelGone(answerer.model));
  if ('failure' in model) return failed(answerer.slug, model.failure);
  if (model.creditsPer1kTokens > 0 && !(await mayFailMore(ctx.db, ctx.orgId, ctx.clock.now()))) {
    return failed(answerer.slug, TOO_MANY_FAILURES);
  }
  const prompt = await collectPrompt(ctx, question, answerer, {
    hasVision: model.vision === true,
    signal: limits.signal,
    stop: limits.stop,
  });
  const reservation = createReservation(ctx, job, model);
  const watcher = feed;
  const { askerUserId: userId, sessionId } = question;
  const isAskerHere = async () => userId === null || isStillReader(ctx, { userId, sessionId });
  const run = { model, prompt, reservation, watcher, isAskerHere, ...limits };
  const { fileTools } = prompt.lacksText && (await isAskerHere()) ? answerer : {};
  const outcome = await runAnswerer({ ...answerer, fileTools }, run);
  return prompt.needsSummary ? { ...outcome, summaryBy: answerer.model } : outcome;
}
