import type { Context } from '../../../core/context.ts';
import { listServing } from '../../mcp/service.ts';
import { usualModel } from '../../mentions/service.ts';
import { findModel } from '../../models/service.ts';
import type { Question } from '../../messages/replies/service.ts';
import { RECALL, type Answerer, type Unavailable } from './answerer.ts';
import { builtInSource } from '../tools/built-in/source.ts';
import { serverSource } from '../tools/server-source.ts';
import { FILE_TOOLS, toolsFor } from '../reading/sources.ts';
import type { AgentInProject } from '../store.ts';

/** An agent of the team, with its model and its tools. It may have changed since it was mentioned. */
export async function resolveAgent(
  ctx: Context,
  question: Question,
  agent: AgentInProject,
): Promise<Answerer | Unavailable> {
  const { slug, instructions, mcpServerIds } = agent;
  const tools = toolsFor(question, agent.tools);
  const unavailable = (code: string, message: string) => ({ slug, failure: { code, message } });
  if (!agent.answersHere) return unavailable('agent_unavailable', whyNot(agent));
  const model = agent.model ?? (await usualModel(ctx));
  if (model === RECALL) {
    const message = `@${slug} needs a model, and there is none yet. An OWNER can add one under Settings, Models.`;
    return unavailable('no_model', message);
  }
  if (!(await findModel(ctx, model))) {
    const message = `The model of @${slug}, "${model}", is not configured any more. Choose another one in its settings.`;
    return unavailable('model_unknown', message);
  }
  // Tools of other systems work with the organisation's own secrets, so only members can have them used.
  const isMember = question.askerUserId !== null;
  const servers = await listServing(ctx, question.projectId, isMember ? mcpServerIds : []);
  const place = { ctx, question, agent };
  const unlisted = FILE_TOOLS.filter((tool) => !tools.includes(tool));
  return {
    slug,
    model,
    instructions,
    toolSources: [
      ...(tools.length > 0 ? [builtInSource(place, tools)] : []),
      ...servers.map((server) => serverSource(ctx, server, question.projectId)),
    ],
    fileTools: unlisted.length > 0 ? builtInSource(place, unlisted) : undefined,
  };
}

function whyNot({ slug, archivedAt, isEnabled }: AgentInProject): string {
  if (archivedAt !== null) return `@${slug} was archived and no longer answers.`;
  if (!isEnabled) return `@${slug} is disabled. Its creator, an OWNER or an ADMIN can enable it.`;
  return `@${slug} does not answer in this Project any more.`;
}
