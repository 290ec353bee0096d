import type { Queryable } from '../../../db/types.ts';
import type { Status } from '../status.ts';

/** A column of a Project's board. Archived tasks keep their place, so they count too. */
export interface Column {
  db: Queryable;
  orgId: string;
  projectId: string;
  status: Status;
}

export interface RankedTask {
  id: string;
  rank: string;
}

/** Undefined if the column has no such task, or it is archived. */
export async function findRank(
  { db, orgId, projectId, status }: Column,
  taskId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ rank: string }>(
    `SELECT rank FROM tasks WHERE org_id = $1 AND project_id = $2 AND status = $3 AND id = $4
       AND archived_at IS NULL`,
    [orgId, projectId, status, taskId],
  );
  return row?.rank;
}

/** Those after a rank, in order; null: from the first one. */
export function listAfter(
  { db, orgId, projectId, status }: Column,
  rank: string | null,
  limit: number,
): Promise<RankedTask[]> {
  return db.query<RankedTask>(
    `SELECT id, rank FROM tasks WHERE org_id = $1 AND project_id = $2 AND status = $3 AND rank > $4
     ORDER BY rank LIMIT $5`,
    [orgId, projectId, status, rank ?? '', limit],
  );
}

/** Those up to a rank, backwards; null: from the last one. */
export function listUpTo(
  { db, orgId, projectId, status }: Column,
  rank: string | null,
  limit: number,
): Promise<RankedTask[]> {
  return db.query<RankedTask>(
    `SELECT id, rank FROM tasks WHERE org_id = $1 AND project_id = $2 AND status = $3
       AND rank <= coalesce($4, '~') ORDER BY rank DESC LIMIT $5`,
    [orgId, projectId, status, rank, limit],
  );
}

export async function saveRanks(
  { db, orgId, projectId }: Column,
  tasks: readonly RankedTask[],
): Promise<void> {
  await db.query(
    `UPDATE tasks t SET rank = moved.rank
     FROM unnest($3::text[], $4::text[]) AS moved (id, rank)
     WHERE t.org_id = $1 AND t.project_id = $2 AND t.id = moved.id`,
    [orgId, projectId, tasks.map(({ id }) => id), tasks.map(({ rank }) => rank)],
  );
}
