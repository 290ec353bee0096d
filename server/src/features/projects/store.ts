import type { BroadcastRule } from '../../access/broadcasts.ts';
import type { Role, UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { refusing } from '../../db/transactions/violations.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../lists/record-page.ts';
import { IS_OWN_PROJECT } from '../../access/direct.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';

export interface ProjectRow {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  tags: string[];
  access: 'ORG' | 'MEMBERS';
  defaultAgent: string | null;
  broadcasts: BroadcastRule;
  createdById: string;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

export interface ProjectMemberRow {
  userId: string;
  email: string;
  name: string;
  handle: string | null;
  role: Role;
  addedAt: Date | null;
}

const PROJECT_COLUMNS = `p.id, p.slug, p.name, p.description, p.tags, p.access, p.default_agent AS "defaultAgent",
  p.broadcasts, p.created_by_id AS "createdById", p.created_at AS "createdAt", p.updated_at AS "updatedAt", p.archived_at AS "archivedAt"`;

/** A Project with the caller's rights in it. No row: 404. Not a member: 403. */
export async function findProject(ctx: UserContext, projectId: string) {
  const [row] = await ctx.db.sharedRead<ProjectRow & { isMember: boolean }>(
    `SELECT ${PROJECT_COLUMNS}, ${IS_PROJECT_MEMBER} AS "isMember" FROM projects p
     WHERE p.org_id = $1 AND p.id = $4 AND ${IS_OWN_PROJECT}`,
    [...callerOf(ctx), projectId],
  );
  return row;
}

export async function findProjectBySlug(ctx: UserContext, slug: string) {
  const [row] = await ctx.db.sharedRead<ProjectRow & { isMember: boolean }>(
    `SELECT ${PROJECT_COLUMNS}, ${IS_PROJECT_MEMBER} AS "isMember" FROM projects p
     WHERE p.org_id = $1 AND p.slug = $4 AND ${IS_OWN_PROJECT}`,
    [...callerOf(ctx), slug],
  );
  return row;
}

export async function listVisibleProjects(
  ctx: UserContext,
  { page, limit, slug }: { page: number; limit: number; slug?: string | undefined },
): Promise<{ items: ProjectRow[]; total: number }> {
  // Count and page come from one snapshot, in one round trip. A page past the end still has the total.
  const rows = await ctx.db.query<ProjectRow & { total: number }>(
    `WITH visible AS (
       SELECT p.* FROM projects p WHERE p.org_id = $1 AND p.archived_at IS NULL AND ${IS_OWN_PROJECT}
         AND ${IS_PROJECT_MEMBER} AND ($6::text IS NULL OR p.slug = $6)
     )
     SELECT counted.total, ${PROJECT_COLUMNS}
     FROM (SELECT count(*) AS total FROM visible) counted
     LEFT JOIN (SELECT * FROM visible ORDER BY position DESC LIMIT $4 OFFSET $5) p ON true
     ORDER BY p.position DESC`,
    [...callerOf(ctx), limit, (page - 1) * limit, slug],
  );
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.id !== null) };
}

export type NewProject = Omit<ProjectRow, 'defaultAgent' | 'updatedAt' | 'archivedAt'>;

/** Sent with COMMIT. It can only fail because the slug is taken. */
export function insertProjectAtCommit(
  tx: Transaction,
  orgId: string,
  project: NewProject,
  slugTaken: () => Error,
): void {
  const { id, slug, name, description, tags, access, broadcasts, createdById, createdAt } = project;
  tx.atCommit(
    `INSERT INTO projects (org_id, id, slug, name, description, tags, access, created_by_id,
       created_at, updated_at, broadcasts)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    [orgId, id, slug, name, description, tags, access, createdById, createdAt, broadcasts],
    { explain: refusing('projectSlugTaken', slugTaken) },
  );
}

export async function isSlugTaken(ctx: UserContext, slug: string): Promise<boolean> {
  const rows = await ctx.db.query(
    'SELECT 1 AS found FROM projects WHERE org_id = $1 AND slug = $2',
    [ctx.orgId, slug],
  );
  return rows.length > 0;
}

export type ProjectChanges = {
  [Field in 'name' | 'description' | 'tags' | 'access' | 'defaultAgent' | 'broadcasts']?:
    | ProjectRow[Field]
    | undefined;
};

/** Changes only the given fields. Undefined if the Project was archived meanwhile. */
export async function updateProject(
  ctx: UserContext & { db: Transaction },
  projectId: string,
  { name, description, tags, access, defaultAgent, broadcasts }: ProjectChanges,
): Promise<ProjectRow | undefined> {
  const opened =
    access === 'ORG'
      ? ctx.db.query(
          `UPDATE projects SET opened_at = now()
           WHERE org_id = $1 AND id = $2 AND archived_at IS NULL AND access <> 'ORG'`,
          [ctx.orgId, projectId],
        )
      : undefined;
  const updated = ctx.db.query<ProjectRow>(
    `UPDATE projects p SET name = coalesce($3, p.name), tags = coalesce($4, p.tags),
       access = coalesce($5, p.access), broadcasts = coalesce($10, p.broadcasts), updated_at = now(),
       description = CASE WHEN $6::boolean THEN $7 ELSE p.description END,
       default_agent = CASE WHEN $8::boolean THEN $9 ELSE p.default_agent END
     WHERE p.org_id = $1 AND p.id = $2 AND p.archived_at IS NULL RETURNING ${PROJECT_COLUMNS}`,
    [
      ctx.orgId,
      projectId,
      name,
      tags,
      access,
      description !== undefined,
      description,
      defaultAgent !== undefined,
      defaultAgent,
      broadcasts,
    ],
  );
  const [, [row]] = await Promise.all([opened, updated]);
  return row;
}

/** False if it was already archived. Its archivedAt stays. */
export async function archiveProject(ctx: UserContext, projectId: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `UPDATE projects SET archived_at = now(), updated_at = now()
     WHERE org_id = $1 AND id = $2 AND archived_at IS NULL RETURNING 1 AS archived`,
    [ctx.orgId, projectId],
  );
  return rows.length === 1;
}

/** Undefined if it is not archived. */
export async function restoreProject(ctx: UserContext, projectId: string) {
  const [row] = await ctx.db.query<ProjectRow>(
    `UPDATE projects p SET archived_at = NULL, updated_at = now()
     WHERE p.org_id = $1 AND p.id = $2 AND p.archived_at IS NOT NULL RETURNING ${PROJECT_COLUMNS}`,
    [ctx.orgId, projectId],
  );
  return row;
}

/** Everyone who belongs to the Project, whether they were added or not. */
const MEMBERS = `SELECT m.user_id AS "userId", u.email, u.name, m.handle, m.role,
    pm.added_at AS "addedAt"
  FROM memberships m JOIN users u ON u.id = m.user_id
  JOIN projects p ON p.org_id = $1 AND p.id = $2
  LEFT JOIN project_members pm
    ON pm.org_id = $1 AND pm.project_id = p.id AND pm.user_id = m.user_id
  WHERE m.org_id = $1 AND (p.access = 'ORG' OR m.role IN ('OWNER', 'ADMIN')
    OR p.created_by_id = m.user_id OR pm.user_id IS NOT NULL)`;

export function listProjectMembers(ctx: UserContext, projectId: string) {
  return ctx.db.query<ProjectMemberRow>(`${MEMBERS} ORDER BY m.joined_at, u.email_key`, [
    ctx.orgId,
    projectId,
  ]);
}

export async function findProjectMember(ctx: UserContext, projectId: string, userId: string) {
  const [row] = await ctx.db.query<ProjectMemberRow>(`${MEMBERS} AND m.user_id = $3`, [
    ctx.orgId,
    projectId,
    userId,
  ]);
  return row;
}

/** False if nothing was added: not a member of the org, already added, or the Project was archived meanwhile. */
export async function insertProjectMember(
  ctx: UserContext & { db: Transaction },
  projectId: string,
  userId: string,
): Promise<boolean> {
  const [, , rows] = await Promise.all([
    // Until the transaction ends, nobody archives the Project or removes the member.
    ctx.db.query('SELECT 1 AS held FROM projects WHERE org_id = $1 AND id = $2 FOR SHARE', [
      ctx.orgId,
      projectId,
    ]),
    ctx.db.query(
      'SELECT 1 AS held FROM memberships WHERE org_id = $1 AND user_id = $2 FOR KEY SHARE',
      [ctx.orgId, userId],
    ),
    ctx.db.query(
      `INSERT INTO project_members (org_id, project_id, user_id)
       SELECT $1::text, p.id, m.user_id FROM projects p
       JOIN memberships m ON m.org_id = $1 AND m.user_id = $3
       WHERE p.org_id = $1 AND p.id = $2 AND p.archived_at IS NULL
       ON CONFLICT (org_id, project_id, user_id) DO NOTHING RETURNING 1 AS added`,
      [ctx.orgId, projectId, userId],
    ),
  ]);
  return rows.length === 1;
}

export async function deleteProjectMember(
  ctx: UserContext,
  projectId: string,
  userId: string,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `DELETE FROM project_members pm USING projects p
     WHERE pm.org_id = $1 AND pm.project_id = $2 AND pm.user_id = $3
       AND p.org_id = $1 AND p.id = pm.project_id AND p.archived_at IS NULL
     RETURNING 1 AS deleted`,
    [ctx.orgId, projectId, userId],
  );
  return rows.length === 1;
}

/** Every Project of the org in the order of their ids, or only those that the caller created. */
export function scanProjects(
  ctx: UserContext,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<ProjectRow>[]> {
  return ctx.db.query(
    `SELECT page.id AS at, ${PROJECT_COLUMNS}
     FROM (SELECT id FROM projects WHERE org_id = $1 AND id > $3 ORDER BY id LIMIT $5) page
     LEFT JOIN projects p ON p.org_id = $1 AND p.id = page.id
       AND (NOT $4 OR p.created_by_id = $2 AND ${IS_OWN_PROJECT})
     ORDER BY page.id`,
    [ctx.orgId, ctx.actor.userId, after, isOwn, RECORDS_PER_PAGE],
  );
}

/** Someone who was added to a Project. */
export interface AddedMemberRow extends ProjectMemberRow {
  id: string;
  projectId: string;
}

/** Everyone who was added to a Project of the org. */
export function scanAddedMembers(
  ctx: UserContext,
  { after }: RecordQuery,
): Promise<ScannedRow<AddedMemberRow>[]> {
  const [projectId = '', userId = ''] = after.split(' ');
  return ctx.db.query(
    `SELECT pm.project_id || ' ' || pm.user_id AS at, pm.user_id AS id, pm.project_id AS "projectId",
       pm.user_id AS "userId", u.email, u.name, m.handle, m.role, pm.added_at AS "addedAt"
     FROM project_members pm
     JOIN memberships m ON m.org_id = $1 AND m.user_id = pm.user_id JOIN users u ON u.id = m.user_id
     WHERE pm.org_id = $1 AND (pm.project_id, pm.user_id) > ($2, $3)
     ORDER BY pm.project_id, pm.user_id LIMIT $4`,
    [ctx.orgId, projectId, userId, RECORDS_PER_PAGE],
  );
}
