import type { OrgDb } from '../../../db/types.ts';

/** Where a task is on the board. */
export interface Standing {
  id: string;
  isSubtask: boolean;
  /** Null if it is the first of its column. */
  afterTaskId: string | null;
}

export function findStandings(
  { db, orgId }: OrgDb,
  projectId: string,
  taskIds: readonly string[],
): Promise<Standing[]> {
  return db.query<Standing>(
    `SELECT t.id, t.parent_task_id IS NOT NULL AS "isSubtask",
       (SELECT above.id FROM tasks above WHERE above.org_id = $1 AND above.project_id = $2
          AND above.status = t.status AND above.archived_at IS NULL AND above.rank < t.rank
        ORDER BY above.rank DESC LIMIT 1) AS "afterTaskId"
     FROM tasks t WHERE t.org_id = $1 AND t.project_id = $2 AND t.id = ANY ($3)`,
    [orgId, projectId, taskIds],
  );
}
