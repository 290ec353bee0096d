import type { Role, UserContext } from '../../core/context.ts';
import type { OrgDb, OrgTransaction } from '../../db/types.ts';
import { refusing } from '../../db/transactions/violations.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../lists/record-page.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';
import { canReadSession, ONLY_READERS } from '../../access/readable.ts';
import { ANSWERS_IN_PROJECT } from '../../access/serving-agents.ts';
import { IS_OWN_PROJECT } from '../../access/direct.ts';
import type { Agent } from './schema.ts';

/** Names of people who wrote memories in this org, including those who have left. */
export async function findNames(
  { db, orgId }: OrgDb,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM users u
     WHERE u.id = ANY ($2) AND EXISTS (
       SELECT 1 FROM memories m WHERE m.org_id = $1 AND m.owner_user_id = u.id)`,
    [orgId, userIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Undefined if they have left the org. */
export async function findAsker(
  { db, orgId }: OrgDb,
  userId: string,
): Promise<{ email: string; role: Role } | undefined> {
  const [row] = await db.query<{ email: string; role: Role }>(
    `SELECT u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 AND m.user_id = $2`,
    [orgId, userId],
  );
  return row;
}

/** Whether somebody who asked in a session may still read it: they may have left the org, the Project or it. */
export async function isStillReader(
  { db, orgId }: OrgDb,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS found FROM memberships asker
     JOIN sessions s ON s.org_id = $1 AND s.id = $3
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE asker.org_id = $1 AND asker.user_id = $2 AND ${canReadSession('$2', 'asker.role')}`,
    [orgId, userId, sessionId],
  );
  return rows.length === 1;
}

export interface AgentRow extends Omit<Agent, 'createdAt' | 'updatedAt' | 'archivedAt'> {
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

const AGENT_COLUMNS = `a.id, a.slug, a.name, a.description, a.instructions, a.model, a.tools,
  ARRAY(SELECT i.id FROM mcp_servers i WHERE i.org_id = $1 AND i.id = ANY (a.mcp_server_ids)
    ORDER BY i.position) AS "mcpServerIds",
  a.project_ids AS "projectIds", a.is_enabled AS "isEnabled", a.created_by_id AS "createdById",
  a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.archived_at AS "archivedAt"`;

/** Whether the caller ($1 to $3) sees agent `a`: it answers in every Project, or in one of theirs. */
const IS_VISIBLE = `(a.project_ids = '{}' OR EXISTS (SELECT 1 FROM projects p
  WHERE p.org_id = $1 AND p.id = ANY (a.project_ids) AND ${IS_PROJECT_MEMBER}))`;

/** Newest first; archived ones by when they were. There are at most 200 live ones, and no more are listed. */
export function listAgents(
  ctx: UserContext,
  { archived }: { archived: boolean },
): Promise<AgentRow[]> {
  return ctx.db.query<AgentRow>(
    `SELECT ${AGENT_COLUMNS} FROM agents a
     WHERE a.org_id = $1 AND (a.archived_at IS NOT NULL) = $4 AND ${IS_VISIBLE}
     ORDER BY a.archived_at DESC, a.position DESC LIMIT 200`,
    [...callerOf(ctx), archived],
  );
}

export async function findVisibleAgent(
  ctx: UserContext,
  agentId: string,
): Promise<AgentRow | undefined> {
  const [row] = await ctx.db.query<AgentRow>(
    `SELECT ${AGENT_COLUMNS} FROM agents a WHERE a.org_id = $1 AND a.id = $4 AND ${IS_VISIBLE}`,
    [...callerOf(ctx), agentId],
  );
  return row;
}

export function scanAgents(
  ctx: UserContext,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<AgentRow>[]> {
  return ctx.db.query(
    `SELECT page.id AS at, ${AGENT_COLUMNS}
     FROM (SELECT id FROM agents WHERE org_id = $1 AND id > $4 ORDER BY id LIMIT $6) page
     LEFT JOIN agents a ON a.org_id = $1 AND a.id = page.id
       AND (NOT $5 OR (a.created_by_id = $2 AND ${IS_VISIBLE}))
     ORDER BY page.id`,
    [...callerOf(ctx), after, isOwn, RECORDS_PER_PAGE],
  );
}

export interface AgentInProject extends AgentRow {
  /** False if it is archived, disabled or bound to other Projects. */
  answersHere: boolean;
}

/** The agent of this name, whatever its state, if the org has one. For whoever may read the Project. */
export async function findAgentBySlug(
  { db, orgId }: OrgDb,
  projectId: string,
  slug: string,
): Promise<AgentInProject | undefined> {
  const [row] = await db.query<AgentInProject>(
    `SELECT ${AGENT_COLUMNS}, ${ANSWERS_IN_PROJECT} AS "answersHere"
     FROM agents a JOIN projects p ON p.org_id = $1 AND p.id = $2
     WHERE a.org_id = $1 AND a.slug = $3`,
    [orgId, projectId, slug],
  );
  return row;
}

/** Those of these Projects that exist, with the caller's standing. */
export function findProjectStandings(
  ctx: UserContext,
  projectIds: readonly string[],
): Promise<{ id: string; isMember: boolean }[]> {
  return ctx.db.query<{ id: string; isMember: boolean }>(
    `SELECT p.id, ${IS_PROJECT_MEMBER} AS "isMember" FROM projects p
     WHERE p.org_id = $1 AND p.id = ANY ($4) AND ${IS_OWN_PROJECT}`,
    [...callerOf(ctx), projectIds],
  );
}

/** Until the transaction ends, so that agents of an org are counted, named and changed one at a time. */
export async function lockAgentsOf({ db, orgId }: OrgTransaction): Promise<void> {
  // FOR NO KEY UPDATE still lets others insert rows that refer to the org.
  await db.query('SELECT id FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}

export async function countLiveAgents({ db, orgId }: OrgDb): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) FROM agents WHERE org_id = $1 AND archived_at IS NULL',
    [orgId],
  );
  return row?.count ?? 0;
}

/** Sent with COMMIT. */
export function insertAgentAtCommit(
  { db, orgId }: OrgTransaction,
  agent: AgentRow,
  slugTaken: () => Error,
): void {
  db.atCommit(
    `INSERT INTO agents (org_id, id, slug, name, description, instructions, model, tools,
       mcp_server_ids, project_ids, is_enabled, created_by_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14, $12)`,
    [...definitionOf(orgId, agent), agent.createdById, agent.createdAt],
    { explain: refusing('agentSlugTaken', slugTaken) },
  );
}

/** Sent with COMMIT. */
export function updateAgentAtCommit(
  { db, orgId }: OrgTransaction,
  agent: AgentRow,
  slugTaken: () => Error,
): void {
  db.atCommit(
    `UPDATE agents SET slug = $3, name = $4, description = $5, instructions = $6, model = $7,
       tools = $8, mcp_server_ids = $9, project_ids = $10, is_enabled = $11, updated_at = $12
     WHERE org_id = $1 AND id = $2`,
    definitionOf(orgId, agent),
    { explain: refusing('agentSlugTaken', slugTaken) },
  );
}

/** The parameters $1 to $12 of both. */
function definitionOf(orgId: string, agent: AgentRow): unknown[] {
  return [
    orgId,
    agent.id,
    agent.slug,
    agent.name,
    agent.description,
    agent.instructions,
    agent.model,
    agent.tools,
    agent.mcpServerIds,
    agent.projectIds,
    agent.isEnabled,
    agent.updatedAt,
  ];
}

/** False if it was already archived. Its archivedAt stays. */
export async function archiveAgent({ db, orgId }: OrgDb, agentId: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE agents SET archived_at = now(), updated_at = now()
     WHERE org_id = $1 AND id = $2 AND archived_at IS NULL RETURNING 1 AS archived`,
    [orgId, agentId],
  );
  return rows.length === 1;
}

export async function restoreAgent({ db, orgId }: OrgDb, agentId: string, at: Date): Promise<void> {
  await db.query(
    'UPDATE agents SET archived_at = NULL, updated_at = $3 WHERE org_id = $1 AND id = $2',
    [orgId, agentId, at],
  );
}

/** How many messages a question's session and the Project's sessions that all its members may read have had. */
export async function countSaid(
  { db, orgId }: OrgDb,
  { projectId, sessionId }: { projectId: string; sessionId: string },
): Promise<number> {
  const [row] = await db.query<{ messages: number }>(
    `SELECT coalesce(sum(s.last_position), 0)::bigint AS messages FROM sessions s
     WHERE s.org_id = $1 AND s.project_id = $2 AND (${ONLY_READERS} IS NULL OR s.id = $3)`,
    [orgId, projectId, sessionId],
  );
  return row?.messages ?? 0;
}
