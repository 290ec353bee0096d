import { isDeepStrictEqual } from 'node:util';
import { withTransaction, type Context, type UserContext } from '../../core/context.ts';
import { limitReached, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../lists/record-page.ts';
import { emit } from '../../events/emit.ts';
import { claimName, nameTaken } from '../mentions/service.ts';
import { requireEditor, requireKnownParts, requireLiveAgent, requireStanding } from './policy.ts';
import type { CreateAgent, UpdateAgent } from './schema.ts';
import {
  archiveAgent as archiveRow,
  countLiveAgents,
  findAgentInProject,
  findVisibleAgent,
  insertAgentAtCommit,
  listVisibleAgents,
  lockAgentsOf,
  updateAgentAtCommit,
  type AgentInProject,
  type AgentRow,
  scanAgents,
} from './store.ts';

export function listAgents(ctx: UserContext): Promise<AgentRow[]> {
  return listVisibleAgents(ctx);
}

/** Archived or not. */
export async function getAgent(ctx: UserContext, agentId: string): Promise<AgentRow> {
  const agent = await findVisibleAgent(ctx, agentId);
  if (!agent) throw notFound('This agent');
  return agent;
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
    await lockAgentsOf(inner.db, ctx.orgId);
    if ((await countLiveAgents(inner.db, ctx.orgId)) >= MOST_LIVE_AGENTS) {
      const message = `This organisation has ${MOST_LIVE_AGENTS} agents. Archive one first.`;
      throw limitReached('agents_per_org', MOST_LIVE_AGENTS, message);
    }
    insertAgentAtCommit(inner.db, ctx.orgId, agent, () => nameTaken(agent.slug));
    claimName(inner, agent.slug, { agentId: agent.id });
    emit(inner, { type: 'agent.created', agentId: agent.id, slug: agent.slug });
    return agent;
  });
}

export function updateAgent(
  ctx: UserContext,
  agentId: string,
  input: UpdateAgent,
): Promise<AgentRow> {
  return withTransaction(ctx, async (inner) => {
    await lockAgentsOf(inner.db, ctx.orgId);
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
    updateAgentAtCommit(inner.db, ctx.orgId, changed, () => nameTaken(agent.slug));
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
    if (!(await archiveRow(inner.db, ctx.orgId, agentId))) return;
    emit(inner, { type: 'agent.archived', agentId, slug: agent.slug });
  });
}

/** The agent of this name, if the org has one, and whether it answers in the Project. */
export function findAgentBySlug(
  ctx: Pick<Context, 'db' | 'orgId'>,
  projectId: string,
  slug: string,
): Promise<AgentInProject | undefined> {
  return findAgentInProject(ctx.db, ctx.orgId, projectId, slug);
}

/** For exports. Who may read everything is for the caller to check. */
export async function readAgents(
  ctx: UserContext,
  query: RecordQuery,
): Promise<RecordPage<AgentRow>> {
  return recordPage(await scanAgents(ctx, query));
}
