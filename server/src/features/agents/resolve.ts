import type { Context } from '../../context.ts';
import { findMentioned, openServer } from '../mcp/service.ts';
import type { Question } from '../messages/replies/service.ts';
import { modelOf } from '../models/service.ts';
import type { Failure } from './outcome.ts';
import { RECALL } from './recall.ts';
import type { ToolSource } from './tools.ts';

/** Who answers a mention, and with what. */
export interface Answerer {
  /** The name that the reply is shown under. */
  slug: string;
  /** The slug of a configured model, or `recall`. */
  model: string;
  /** What the team told this agent, in addition to what every agent is told. */
  instructions: string | null;
  toolSources: readonly ToolSource[];
}

/** Nobody can answer. The failure is shown under the slug. */
export interface Unavailable {
  slug: string;
  failure: Failure;
}

/** The first stop of a reply: the only place that decides who answers a mention. */
export async function resolveAnswerer(
  ctx: Context,
  question: Question,
  mention: string,
): Promise<Answerer | Unavailable> {
  const isModel = mention === 'model' || ctx.models.find(mention) !== undefined;
  const slug = isModel && mention !== 'model' ? mention : sessionModelOf(ctx, question);
  const unavailable = (code: string, message: string) => ({ slug, failure: { code, message } });
  if (!ctx.models.find(slug)) {
    const known = ctx.models.list().map((model) => model.slug);
    return unavailable(
      'model_unknown',
      `"${slug}" is not a configured model any more. Available: ${known.join(', ')}.`,
    );
  }
  const answerer = { slug, model: slug, instructions: null };
  if (isModel) return { ...answerer, toolSources: [] };
  const server = await findMentioned(ctx, question.projectId, mention);
  if (!server) {
    return unavailable(
      'mention_unknown',
      `Nobody answers to @${mention} any more. There is no such model, and no MCP server with that name serves this Project.`,
    );
  }
  if (slug === RECALL) {
    return unavailable(
      'no_tools',
      `The tools of @${mention} need a model, and recall has none. Choose a model for this session.`,
    );
  }
  const open = (signal: AbortSignal) => openServer(ctx, server, question.projectId, signal);
  return { ...answerer, toolSources: [{ name: mention, open }] };
}

/** For `@model` and for MCP servers. */
function sessionModelOf(ctx: Context, question: Question): string {
  const { sessionModel: model, sessionDefaultAgent: defaultAgent, projectDefaultAgent } = question;
  return modelOf(ctx, { model, defaultAgent, projectDefaultAgent });
}
