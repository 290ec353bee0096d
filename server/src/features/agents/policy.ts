import type { ModelInfo } from '../../adapters/models/model.ts';
import { requireProject } from '../../access/project.ts';
import type { UserActor, UserContext } from '../../core/context.ts';
import { conflict, forbidden, invalid, type FieldError } from '../../core/errors.ts';
import { listMcpServers } from '../mcp/service.ts';
import { findModel, listModelInfos } from '../models/service.ts';
import { findProjectStandings, type AgentRow } from './store.ts';

/** Its creator, OWNERs and ADMINs change an agent. */
export function requireEditor({ role, userId }: UserActor, agent: AgentRow): void {
  if (role !== 'MEMBER' || agent.createdById === userId) return;
  throw forbidden('role', "Only the agent's creator, an OWNER or an ADMIN can change it.");
}

export function requireLiveAgent({ archivedAt }: AgentRow): void {
  if (archivedAt === null) return;
  throw conflict('agent_archived', 'This agent is archived. It can be read but not changed.');
}

type Parts = Pick<AgentRow, 'model' | 'mcpServerIds'>;

/** A model of this server or of this org, and MCP servers of this org. What an agent already has may stay. */
export async function requireKnownParts(
  ctx: UserContext,
  { model, mcpServerIds }: Parts,
  before?: Parts,
): Promise<void> {
  const errors: FieldError[] = [];
  const refuse = (location: string, message: string) =>
    errors.push({ location, code: 'invalid_value', message });
  if (model !== null && model !== before?.model && !isUsable(await findModel(ctx, model))) {
    const known = (await listModelInfos(ctx)).filter(isUsable).map(({ slug }) => slug);
    const choice = known.length === 0 ? 'none is configured' : `available: ${known.join(', ')}`;
    refuse('body.model', `is not a model that an agent can use; ${choice}`);
  }
  if (mcpServerIds.length > 0) {
    const servers = new Set((await listMcpServers(ctx)).map(({ id }) => id));
    for (const [at, id] of mcpServerIds.entries()) {
      if (!servers.has(id)) refuse(`body.mcpServerIds[${at}]`, 'is not an MCP server');
    }
  }
  if (errors.length > 0) throw invalid(errors);
}

/** The built-in agent quotes: it follows no instructions and uses no tools. */
function isUsable(model: ModelInfo | undefined): boolean {
  return model !== undefined && model.provider !== 'builtin';
}

/**
 * OWNERs and ADMINs have agents answer in any Projects, or all of them. Agents of a MEMBER answer in named
 * Projects they belong to, and are theirs to change only as long as that is so.
 */
export async function requireStanding(
  ctx: UserContext,
  projectIds: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  const isMember = ctx.actor.role === 'MEMBER';
  if (isMember && projectIds.length === 0) {
    const message =
      'Only an OWNER or ADMIN can have an agent answer in every Project. Name its Projects in projectIds.';
    throw forbidden('role', message);
  }
  const checked = isMember ? projectIds : projectIds.filter((id) => !before.includes(id));
  if (checked.length === 0) return;
  const standings = await findProjectStandings(ctx, checked);
  for (const id of checked) requireProject(standings.find((project) => project.id === id));
}
