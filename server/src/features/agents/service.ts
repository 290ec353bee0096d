import { isDeepStrictEqual } from 'node:util';
import { withTransaction, type UserContext } from '../../core/context.ts';
import { limitReached, requireFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { claimName, nameTaken } from '../mentions/service.ts';
import { requireEditor, requireKnownParts, requireLiveAgent, requireStanding } from './policy.ts';
import type { CreateAgent, UpdateAgent } from './schema.ts';
import {
  archiveAgent as archiveRow,
  countLiveAgents,
  findVisibleAgent,
  insertAgentAtCommit,
  lockAgentsOf,
  restoreAgent as restoreRow,
  updateAgentAtCommit,
  type AgentRow,
} from './store.ts';

export { listAgents } from './store.ts';

/** Archived or not. */
export async function getAgent(ctx: UserContext, agentId: string): Promise<AgentRow> {
  return requireFound(await findVisibleAgent(ctx, agentId), 'This agent');
}

const MOST_LIVE_AGENTS = 200;

export function createAgent(ctx: UserContext, input: CreateAgent): Promise<AgentRow> {
  return withTransaction(ctx, async (inner) => {
    const now = ctx.clock.now();
    const agent: AgentRow = {
      id: newId(),
      slug: input.slug,
      name: input.name,
      description: input.description ?? null,
      instructions: input.instructions ?? '',
      model: input.model ?? null,
      tools: input.tools ?? [],
      mcpServerIds: input.mcpServerIds ?? [],
      projectIds: input.projectIds ?? [],
      isEnabled: input.isEnabled ?? true,
      createdById: ctx.actor.userId,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    };
    await requireKnownParts(inner, agent);
    await requireStanding(inner, agent.projectIds);
    await lockAgentsOf(inner);
    await requireRoom(inner);
    insertAgentAtCommit(inner, agent, () => nameTaken(agent.slug));
    claimName(inner, agent.slug, { agentId: agent.id });
    emit(inner, { type: 'agent.created', agentId: agent.id, slug: agent.slug });
    return agent;
  });
}

/** The org's agents are locked. */
async function requireRoom(ctx: UserContext): Promise<void> {
  if ((await countLiveAgents(ctx)) < MOST_LIVE_AGENTS) return;
  const message = `This organisation has ${MOST_LIVE_AGENTS} agents. Archive one first.`;
  throw limitReached('agents_per_org', MOST_LIVE_AGENTS, message);
}

export function updateAgent(
  ctx: UserContext,
  agentId: string,
  input: UpdateAgent,
): Promise<AgentRow> {
  return withTransaction(ctx, async (inner) => {
    await lockAgentsOf(inner);
    const before = await getAgent(inner, agentId);
    requireEditor(ctx.actor, before);
    requireLiveAgent(before);
    const agent = { ...before, ...givenFields(input) };
    const fields = Object.keys(input).filter(
      (field) =>
        !isDeepStrictEqual(agent[field as keyof AgentRow], before[field as keyof AgentRow]),
    );
    if (fields.length === 0) return before;
    await requireKnownParts(inner, agent, before);
    await requireStanding(inner, agent.projectIds, before.projectIds);
    const changed = { ...agent, updatedAt: ctx.clock.now() };
    updateAgentAtCommit(inner, changed, () => nameTaken(agent.slug));
    if (agent.slug !== before.slug) claimName(inner, agent.slug, { agentId });
    emit(inner, { type: 'agent.updated', agentId, slug: agent.slug, fields, from: before.slug });
    return changed;
  });
}

/** Null empties a field. */
function givenFields(input: UpdateAgent): Partial<AgentRow> {
  const { instructions, tools, mcpServerIds, projectIds, ...rest } = input;
  const given = {
    ...rest,
    instructions: instructions === null ? '' : instructions,
    tools: tools === null ? [] : tools,
    mcpServerIds: mcpServerIds === null ? [] : mcpServerIds,
    projectIds: projectIds === null ? [] : projectIds,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** It answers no more. Its slug stays taken, because its messages stay. */
export async function archiveAgent(ctx: UserContext, agentId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const agent = await getAgent(inner, agentId);
    requireEditor(ctx.actor, agent);
    await requireStanding(inner, agent.projectIds, agent.projectIds);
    if (!(await archiveRow(inner, agentId))) return;
    emit(inner, { type: 'agent.archived', agentId, slug: agent.slug });
  });
}

/** It has kept its slug, so nothing can be in its way but the limit. */
export function restoreAgent(ctx: UserContext, agentId: string): Promise<AgentRow> {
  return withTransaction(ctx, async (inner) => {
    await lockAgentsOf(inner);
    const agent = await getAgent(inner, agentId);
    requireEditor(ctx.actor, agent);
    await requireStanding(inner, agent.projectIds, agent.projectIds);
    if (agent.archivedAt === null) return agent;
    await requireRoom(inner);
    const updatedAt = ctx.clock.now();
    await restoreRow(inner, agentId, updatedAt);
    emit(inner, { type: 'agent.restored', agentId, slug: agent.slug });
    return { ...agent, archivedAt: null, updatedAt };
  });
}
