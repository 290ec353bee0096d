import type { UserContext } from '../../../core/context.ts';
import { utcTime } from '../../../db/utc-time.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../../access/standing.ts';
import type { TaskView } from './schema.ts';

export const MOST_VIEWS = 50;

/** The times are as `utcTime` has them. */
export type ViewRow = TaskView;

const COLUMNS = `v.id, v.project_id AS "projectId", v.name, v.layout, v.filters, v.sort,
  v.group_by AS "groupBy", ${utcTime('v.created_at')} AS "createdAt",
  ${utcTime('v.updated_at')} AS "updatedAt"`;

/** Of the caller. Views of a Project that they have left are back when they belong to it again. */
const IS_VISIBLE = `(v.project_id IS NULL OR EXISTS (SELECT 1 FROM projects p
  WHERE p.org_id = $1 AND p.id = v.project_id AND ${IS_PROJECT_MEMBER}))`;
const OWN = `FROM task_views v WHERE v.org_id = $1 AND v.user_id = $2`;

/** In the person's order. */
export function listViews(ctx: UserContext): Promise<ViewRow[]> {
  return ctx.db.query<ViewRow>(
    `SELECT ${COLUMNS} ${OWN} AND ${IS_VISIBLE} ORDER BY v.position, v.id`,
    callerOf(ctx),
  );
}

export async function findView(ctx: UserContext, id: string): Promise<ViewRow | undefined> {
  const [row] = await ctx.db.query<ViewRow>(
    `SELECT ${COLUMNS} ${OWN} AND ${IS_VISIBLE} AND v.id = $4`,
    [...callerOf(ctx), id],
  );
  return row;
}

/** Those that the person no longer sees too: they keep their places. Locks them, so that two moves don't mix. */
export function lockOrder(ctx: UserContext): Promise<{ id: string; isVisible: boolean }[]> {
  return ctx.db.query(
    `SELECT v.id, ${IS_VISIBLE} AS "isVisible" ${OWN} ORDER BY v.position, v.id FOR UPDATE OF v`,
    callerOf(ctx),
  );
}

export async function saveOrder(
  { db, orgId, actor }: UserContext,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE task_views v SET position = placed.nth
     FROM unnest($3::text[]) WITH ORDINALITY AS placed (id, nth)
     WHERE v.org_id = $1 AND v.user_id = $2 AND v.id = placed.id AND v.position <> placed.nth`,
    [orgId, actor.userId, ids],
  );
}

export type ViewFields = Pick<ViewRow, 'name' | 'layout' | 'filters' | 'sort' | 'groupBy'>;

/** As the last one. False if the person has as many as they may. */
export async function insertView(
  { db, orgId, actor }: UserContext,
  {
    id,
    projectId,
    name,
    layout,
    filters,
    sort,
    groupBy,
  }: ViewFields & {
    id: string;
    projectId: string | null;
  },
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO task_views (org_id, id, user_id, project_id, name, layout, filters, sort, group_by,
       position)
     SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::jsonb, $8::text, $9::text,
       (SELECT coalesce(max(other.position), 0) + 1 FROM task_views other
         WHERE other.org_id = $1 AND other.user_id = $3)
     WHERE (SELECT count(*) FROM task_views other
       WHERE other.org_id = $1 AND other.user_id = $3) < ${MOST_VIEWS}
     RETURNING 1 AS inserted`,
    [orgId, id, actor.userId, projectId, name, layout, JSON.stringify(filters), sort, groupBy],
  );
  return rows.length === 1;
}

export async function updateView(
  { db, orgId, actor }: UserContext,
  id: string,
  { name, layout, filters, sort, groupBy }: ViewFields,
): Promise<void> {
  await db.query(
    `UPDATE task_views SET name = $4, layout = $5, filters = $6::jsonb, sort = $7, group_by = $8,
       updated_at = now()
     WHERE org_id = $1 AND user_id = $2 AND id = $3`,
    [orgId, actor.userId, id, name, layout, JSON.stringify(filters), sort, groupBy],
  );
}

export async function deleteView({ db, orgId, actor }: UserContext, id: string): Promise<void> {
  await db.query('DELETE FROM task_views WHERE org_id = $1 AND user_id = $2 AND id = $3', [
    orgId,
    actor.userId,
    id,
  ]);
}
