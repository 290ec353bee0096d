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
  /** How long a model may take. */
  deadlineMs: number;
}

const Asked = z.object({
  orgId: z.string(),
  messageId: z.string(),
  mention: z.string(),
  /** True where a FAILED reply is to be made again in its place. */
  retry: z.boolean().optional(),
});
export type Asked = z.output<typeof Asked>;

export const readAsked = (payload: unknown): Asked => Asked.parse(payload);

/** The longest that a person waits for a reply, or for the news that there is none. */
export const DEADLINE_MS = 120_000;
const RECENT_MESSAGES = 60;
const THREAD_MESSAGES = 60;
const MEMORIES = 8;
/** Models that think first count their thoughts as output. */
const MOST_OUTPUT_TOKENS = 4_096;

/** What came of a question, before it is written down. */
interface Outcome extends Pick<
  NewReply,
  'agentSlug' | 'body' | 'status' | 'error' | 'citations' | 'toolCalls'
> {
  inputTokens: number;
  outputTokens: number;
  credits: number;
}

/**
 * Answers one mention of one message with one AGENT message, however often it is run. Whatever goes
 * wrong with the model lands as a FAILED reply; only what another try may mend is thrown.
 */
export async function answerMention(
  ctx: AgentContext,
  asked: Asked,
  signal: AbortSignal,
): Promise<void> {
  const question = await findQuestion(ctx.db, asked.orgId, asked.messageId, asked.mention);
  if (!question || !isOpen(question, asked)) return;
  const startedAt = performance.now();
  const outcome = await makeReply(ctx, question, asked, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(ctx.deadlineMs)]),
    endsAt: startedAt + ctx.deadlineMs,
  });
  signal.throwIfAborted();
  await land(ctx, question, asked, outcome, performance.now() - startedAt);
}

/** For a job that nobody will try again: the people who asked are told. */
export async function giveUp(ctx: AgentContext, asked: Asked): Promise<void> {
  const question = await findQuestion(ctx.db, asked.orgId, asked.messageId, asked.mention);
  if (!question || !isOpen(question, asked)) return;
  const message = 'It failed too many times. It can be tried again.';
  const outcome = failure(slugFor(ctx, question, asked), 'gave_up', message);
  await land(ctx, question, asked, outcome, 0);
}

/** A question that was deleted needs no answer, and one that has its reply no second. */
function isOpen(question: Question, asked: Asked): boolean {
  if (question.deletedAt !== null) return false;
  if (question.replyId === null) return true;
  return asked.retry === true && question.replyStatus === 'FAILED' && !question.replyDeletedAt;
}

/** A model's own name, or the session's model: for `@model`, and for MCP servers that are mentioned. */
function slugFor(ctx: AgentContext, question: Question, asked: Asked): string {
  if (isModelMention(ctx, asked) && asked.mention !== 'model') return asked.mention;
  return question.sessionModel ?? question.sessionDefaultAgent ?? ctx.models.defaultSlug;
}

function isModelMention(ctx: AgentContext, { mention }: Asked): boolean {
  return mention === 'model' || ctx.models.find(mention) !== undefined;
}

/** How long a run may take: until the signal, which is aborted at `endsAt` at the latest. */
interface Limits {
  signal: AbortSignal;
  endsAt: number;
}

async function makeReply(
  ctx: AgentContext,
  question: Question,
  asked: Asked,
  limits: Limits,
): Promise<Outcome> {
  const slug = slugFor(ctx, question, asked);
  if (!ctx.models.find(slug)) {
    const known = ctx.models.list().map((model) => model.slug);
    const message = `This server has no model "${slug}" now. There are: ${known.join(', ')}.`;
    return failure(slug, 'model_unknown', message);
  }
  if (
    !isModelMention(ctx, asked) &&
    !(await findMentioned(ctx, question.projectId, asked.mention))
  ) {
    const message = `Nobody answers to @${asked.mention} now: no model has that name, and no MCP server that serves this Project.`;
    return failure(slug, 'mention_unknown', message);
  }
  if (slug === RECALL && !isModelMention(ctx, asked)) {
    const message = `recall has no model behind it, so it cannot use tools, and those of @${asked.mention} need a model. Choose one for this session.`;
    return failure(slug, 'no_tools', message);
  }
  if (slug === RECALL) return completed(slug, await answerFromRecall(ctx, question));
  const model = await ctx.models.load(slug);
  if (!model) throw new Error(`the model ${slug} is registered, and cannot be loaded`);
  if (isModelMention(ctx, asked)) return askModel(ctx, question, asked, { model, ...limits });
  return askWithTools(ctx, question, asked, { model, ...limits });
}

/** The session's model with the tools of the MCP server that was mentioned. */
async function askWithTools(
  ctx: AgentContext,
  question: Question,
  asked: Asked,
  { model, ...limits }: Limits & { model: LanguageModel },
): Promise<Outcome> {
  let open: OpenTools | undefined;
  try {
    open = await openTools(ctx, question, asked.mention, limits.signal);
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    const message = `The MCP server @${asked.mention} cannot be used: ${error.message}.`;
    return failure(model.slug, 'tool_failure', message);
  }
  if (!open) {
    const message = `No MCP server @${asked.mention} serves this Project now.`;
    return failure(model.slug, 'tool_failure', message);
  }
  try {
    const outcome = await askModel(ctx, question, asked, { model, ...limits, tools: open.tools });
    return { ...outcome, toolCalls: open.calls };
  } finally {
    open.close();
  }
}

/** Has each step covered before it is taken, and reads the answer. What is held is settled with the reply. */
async function askModel(
  ctx: AgentContext,
  question: Question,
  asked: Asked,
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
        const reservation = { id: reservationOf(asked), credits };
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
      // Never more than was held: the balance cannot go below zero for a count that we got wrong.
      credits: Math.min(price, held),
    };
  } catch (error) {
    if (error instanceof NotCovered) {
      const message = 'The org has too few credits left. An OWNER or ADMIN can top up.';
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

/** By mention, not by model: `@model @gpt` may be two calls of one model for one message. */
function reservationOf({ messageId, mention }: Asked): string {
  return `${messageId}:${mention}`;
}

const CUT = '\n\n*(The answer was cut here: it is longer than we take.)*';
const LONGEST_BODY = 20_000;

function shorten(body: string): string {
  return body.slice(0, LONGEST_BODY - CUT.length).toWellFormed() + CUT;
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
    ...completed(agentSlug, { body: `The reply could not be made. ${message}`, citations: [] }),
    status: 'FAILED',
    error: { code, message },
  };
}

/** The reply, its price and its usage in one commit, or none of them. */
async function land(
  ctx: AgentContext,
  question: Question,
  asked: Asked,
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
    mention: asked.mention,
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
      if (reply.status === 'FAILED') return releaseCredits(tx, ctx.orgId, reservationOf(asked));
      if (credits > 0) ctx.hints.announce(there, { type: 'org.updated' });
      settleUsage(tx, ctx.orgId, reservationOf(asked), {
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
