import { z } from 'zod';
import { McpFailure } from '../../adapters/mcp/mcp-client.ts';
import {
  ModelFailure,
  NotCovered,
  type LanguageModel,
  type Tool,
} from '../../adapters/models/model.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import { newId } from '../../ids.ts';
import { priceOf, releaseCredits, reserveCredits, settleUsage } from '../billing/service.ts';
import {
  findQuestion,
  landReply,
  listSpokenBefore,
  listThreadBefore,
  type NewReply,
  type Question,
} from '../messages/replies/service.ts';
import { findMentioned } from '../mcp/service.ts';
import { buildPrompt, readCitations, type BuiltPrompt } from './prompt.ts';
import { answerFromRecall, RECALL } from './recall.ts';
import { findMemories, queryOf } from './sources.ts';
import { MOST_TOOL_CALLS, openTools, type OpenTools } from './tools.ts';

export interface AgentContext extends Context {
  db: Database;
  /** How long a reply may take. */
  deadlineMs: number;
}

const ReplyJob = z.object({
  orgId: z.string(),
  messageId: z.string(),
  mention: z.string(),
  /** True if the reply replaces a FAILED one. */
  retry: z.boolean().optional(),
});
export type ReplyJob = z.output<typeof ReplyJob>;

export const readReplyJob = (payload: unknown): ReplyJob => ReplyJob.parse(payload);

/** A person waits at most this long for a reply or a failure. */
export const DEADLINE_MS = 120_000;
const RECENT_MESSAGES = 60;
const THREAD_MESSAGES = 60;
const MEMORIES = 8;
/** Reasoning models count their reasoning as output. */
const MOST_OUTPUT_TOKENS = 4_096;

/** The result of a run, before it is written. */
interface Outcome extends Pick<
  NewReply,
  'agentSlug' | 'body' | 'status' | 'error' | 'citations' | 'toolCalls'
> {
  inputTokens: number;
  outputTokens: number;
  credits: number;
}

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
  await land(ctx, question, job, outcome, performance.now() - startedAt);
}

/** For a job that has no attempts left: lands a FAILED reply, so that the people who asked know. */
export async function giveUp(ctx: AgentContext, job: ReplyJob): Promise<void> {
  const question = await findQuestion(ctx.db, job.orgId, job.messageId, job.mention);
  if (!question || !isOpen(question, job)) return;
  const message = 'The server failed too many times. Try again.';
  const outcome = failure(slugFor(ctx, question, job), 'gave_up', message);
  await land(ctx, question, job, outcome, 0);
}

/** A deleted question needs no reply, and an answered one needs no second. */
function isOpen(question: Question, job: ReplyJob): boolean {
  if (question.deletedAt !== null) return false;
  if (question.replyId === null) return true;
  return job.retry === true && question.replyStatus === 'FAILED' && !question.replyDeletedAt;
}

/** The model's own slug, or the session's model for `@model` and for MCP servers. */
function slugFor(ctx: AgentContext, question: Question, job: ReplyJob): string {
  if (isModelMention(ctx, job) && job.mention !== 'model') return job.mention;
  return question.sessionModel ?? question.sessionDefaultAgent ?? ctx.models.defaultSlug;
}

function isModelMention(ctx: AgentContext, { mention }: ReplyJob): boolean {
  return mention === 'model' || ctx.models.find(mention) !== undefined;
}

/** A run ends when the signal is aborted, at `endsAt` at the latest. */
interface Limits {
  signal: AbortSignal;
  endsAt: number;
}

async function makeReply(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  limits: Limits,
): Promise<Outcome> {
  const slug = slugFor(ctx, question, job);
  if (!ctx.models.find(slug)) {
    const known = ctx.models.list().map((model) => model.slug);
    const message = `"${slug}" is not a configured model any more. Available: ${known.join(', ')}.`;
    return failure(slug, 'model_unknown', message);
  }
  if (!isModelMention(ctx, job) && !(await findMentioned(ctx, question.projectId, job.mention))) {
    const message = `Nobody answers to @${job.mention} any more. There is no such model, and no MCP server with that name serves this Project.`;
    return failure(slug, 'mention_unknown', message);
  }
  if (slug === RECALL && !isModelMention(ctx, job)) {
    const message = `The tools of @${job.mention} need a model, and recall has none. Choose a model for this session.`;
    return failure(slug, 'no_tools', message);
  }
  if (slug === RECALL) return completed(slug, await answerFromRecall(ctx, question));
  const model = await ctx.models.load(slug);
  if (!model) throw new Error(`the model ${slug} is registered but cannot be loaded`);
  if (isModelMention(ctx, job)) return askModel(ctx, question, job, { model, ...limits });
  return askWithTools(ctx, question, job, { model, ...limits });
}

/** Asks the session's model, with the tools of the mentioned MCP server. */
async function askWithTools(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  { model, ...limits }: Limits & { model: LanguageModel },
): Promise<Outcome> {
  let open: OpenTools | undefined;
  try {
    open = await openTools(ctx, question, job.mention, limits.signal);
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    const message = `Couldn't use the MCP server @${job.mention}: ${error.message}.`;
    return failure(model.slug, 'tool_failure', message);
  }
  if (!open) {
    const message = `The MCP server @${job.mention} does not serve this Project any more.`;
    return failure(model.slug, 'tool_failure', message);
  }
  try {
    const outcome = await askModel(ctx, question, job, { model, ...limits, tools: open.tools });
    return { ...outcome, toolCalls: open.calls };
  } finally {
    open.close();
  }
}

/** Reserves credits before each step and reads the answer. The reservation is settled with the reply. */
async function askModel(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  { model, tools = [], ...limits }: Limits & { model: LanguageModel; tools?: Tool[] },
): Promise<Outcome> {
  const prompt = await preparePrompt(ctx, question, model.slug);
  let held = 0;
  try {
    const generated = await model.generate(prompt, {
      ...limits,
      maxOutputTokens: MOST_OUTPUT_TOKENS,
      tools,
      maxToolCalls: MOST_TOOL_CALLS,
      async cover(mostTokens) {
        const credits = priceOf(mostTokens, model.creditsPer1kTokens);
        const reservation = { id: reservationOf(job), credits };
        if (!(await reserveCredits(ctx.db, ctx.orgId, reservation, ctx.clock.now()))) return false;
        held = Math.max(held, credits);
        return true;
      },
    });
    const { text, inputTokens, outputTokens, truncated } = generated;
    const { body, citations } = readCitations(text, prompt.memoryIds);
    const price = priceOf(inputTokens + outputTokens, model.creditsPer1kTokens);
    return {
      ...completed(model.slug, { body: truncated ? shorten(body) : body, citations }),
      inputTokens,
      outputTokens,
      // Never more than was reserved, so that a wrong estimate cannot take the balance below zero.
      credits: Math.min(price, held),
    };
  } catch (error) {
    if (error instanceof NotCovered) {
      const message =
        'The organisation does not have enough credits. An OWNER or ADMIN can top up.';
      return failure(model.slug, 'no_credits', message);
    }
    if (!(error instanceof ModelFailure)) throw error;
    return failure(model.slug, error.code, error.message);
  }
}

async function preparePrompt(
  ctx: AgentContext,
  question: Question,
  agentSlug: string,
): Promise<BuiltPrompt> {
  const query = queryOf(question.body);
  const [recent, thread, memories] = await Promise.all([
    listSpokenBefore(ctx.db, ctx.orgId, question, RECENT_MESSAGES),
    question.parentMessageId === null
      ? []
      : listThreadBefore(ctx.db, ctx.orgId, question, THREAD_MESSAGES),
    query === '' ? [] : findMemories(ctx, question, query, MEMORIES),
  ]);
  return buildPrompt({ agentSlug, question, recent, thread, memories });
}

/** By mention, not by model: `@model @gpt` can be two calls of the same model for one message. */
function reservationOf({ messageId, mention }: ReplyJob): string {
  return `${messageId}:${mention}`;
}

const TRUNCATED = '\n\n*(Truncated: the answer was too long.)*';
const LONGEST_BODY = 20_000;

function shorten(body: string): string {
  return body.slice(0, LONGEST_BODY - TRUNCATED.length).toWellFormed() + TRUNCATED;
}

function completed(
  agentSlug: string,
  { body, citations }: Pick<NewReply, 'body' | 'citations'>,
): Outcome {
  const free = { inputTokens: 0, outputTokens: 0, credits: 0 };
  return { agentSlug, body, citations, toolCalls: [], status: 'COMPLETED', error: null, ...free };
}

function failure(agentSlug: string, code: string, message: string): Outcome {
  return {
    ...completed(agentSlug, { body: `Couldn't generate a reply. ${message}`, citations: [] }),
    status: 'FAILED',
    error: { code, message },
  };
}

/** Writes the reply, its price and its usage in one commit. */
async function land(
  ctx: AgentContext,
  question: Question,
  job: ReplyJob,
  outcome: Outcome,
  elapsedMs: number,
): Promise<void> {
  const { inputTokens, outputTokens, credits, ...written } = outcome;
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
  await landReply(ctx, reply, {
    inPlace: question.replyId !== null,
    along(tx) {
      const there = { db: tx, orgId: ctx.orgId };
      const { projectId, sessionId } = question;
      const type = question.replyId === null ? 'message.created' : 'message.updated';
      ctx.hints.announce(there, { type, projectId, sessionId, messageId: reply.id });
      ctx.hints.announce(there, {
        type: 'message.updated',
        projectId,
        sessionId,
        messageId: question.id,
      });
      if (reply.status === 'FAILED') return releaseCredits(tx, ctx.orgId, reservationOf(job));
      if (credits > 0) ctx.hints.announce(there, { type: 'org.updated' });
      settleUsage(tx, ctx.orgId, reservationOf(job), {
        messageId: reply.id,
        userId: question.askerUserId,
        model: reply.agentSlug,
        inputTokens,
        outputTokens,
        credits,
      });
    },
  });
}
