import type { Context } from '../../../core/context.ts';
import { isModelName, usualName } from '../../mentions/service.ts';
import { findModel, listModelInfos } from '../../models/service.ts';
import { findMentioned, type McpServerRow } from '../../mcp/service.ts';
import type { Question } from '../../messages/replies/service.ts';
import { resolveAgent } from './agent-answerer.ts';
import { RECALL, type Answerer, type Unavailable } from './answerer.ts';
import { findAgentBySlug } from '../store.ts';
import { serverSource } from '../tools/server-source.ts';

/** The first stop of a reply: the only place that decides who answers a mention. */
export async function resolveAnswerer(
  ctx: Context,
  question: Question,
  mention: string,
): Promise<Answerer | Unavailable> {
  if (mention === 'model') return resolveName(ctx, question, await usualNameOf(ctx, question));
  if (isModelName(ctx, mention)) return modelAnswerer(mention);
  const agent = await findAgentBySlug(ctx, question.projectId, mention);
  if (agent) return resolveAgent(ctx, question, agent);
  if (await findModel(ctx, mention)) return modelAnswerer(mention);
  const usual = await resolveName(ctx, question, await usualNameOf(ctx, question));
  if ('failure' in usual) return usual;
  const server = await findMentioned(ctx, question.projectId, mention);
  if (server) return withServer(ctx, question, usual, server);
  const message = `Nobody answers to @${mention} any more. No model, agent or MCP server in this Project has that name.`;
  return { slug: usual.slug, failure: { code: 'mention_unknown', message } };
}

/** For `@model`, and for MCP servers that are mentioned. */
function usualNameOf(ctx: Context, question: Question): Promise<string> {
  const { sessionModel: model, sessionDefaultAgent: defaultAgent, projectDefaultAgent } = question;
  return usualName(ctx, { model, defaultAgent, projectDefaultAgent });
}

/** By the name that a session was given: a model or an agent. */
async function resolveName(
  ctx: Context,
  question: Question,
  name: string,
): Promise<Answerer | Unavailable> {
  if (ctx.models.find(name)) return modelAnswerer(name);
  const agent = await findAgentBySlug(ctx, question.projectId, name);
  if (agent) return resolveAgent(ctx, question, agent);
  if (await findModel(ctx, name)) return modelAnswerer(name);
  const known = (await listModelInfos(ctx)).map((model) => model.slug);
  const message = `"${name}" is not a configured model any more. Available: ${known.join(', ')}.`;
  return { slug: name, failure: { code: 'model_unknown', message } };
}

function modelAnswerer(slug: string): Answerer {
  return { slug, model: slug, instructions: null, toolSources: [] };
}

/** Whoever usually answers, with the tools of the mentioned server in addition. */
function withServer(
  ctx: Context,
  { projectId, askerUserId }: Question,
  usual: Answerer,
  server: McpServerRow,
): Answerer | Unavailable {
  const { slug, model, toolSources } = usual;
  if (askerUserId === null) {
    const message = `Only members can use the tools of @${server.mentionSlug}.`;
    return { slug, failure: { code: 'no_tools', message } };
  }
  if (model === RECALL) {
    const message = `The tools of @${server.mentionSlug} need a model, and recall has none. Choose a model for this session.`;
    return { slug, failure: { code: 'no_tools', message } };
  }
  if (toolSources.some(({ name }) => name === server.mentionSlug)) return usual;
  return { ...usual, toolSources: [...toolSources, serverSource(ctx, server, projectId)] };
}
