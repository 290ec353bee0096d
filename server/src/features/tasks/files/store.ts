import type { OrgDb } from '../../../db/types.ts';
import { findTask, ifChanged, TASK_COLUMNS, type TaskRow, type TaskVersion } from '../store.ts';

/** After its uses were written. Undefined if the task has changed since it was read. */
export function markFiles(
  { db, orgId }: OrgDb,
  { id: taskId, projectId, version }: TaskVersion,
  { hasFiles, at }: { hasFiles: boolean; at: Date },
): Promise<TaskRow | undefined> {
  const updated = db.query(
    `UPDATE tasks t SET has_files = $4, version = t.version + 1, updated_at = $5
     WHERE t.org_id = $1 AND t.id = $2 AND t.version = $3 RETURNING 1 AS updated`,
    [orgId, taskId, version, hasFiles, at],
  );
  return ifChanged(updated, findTask({ db, orgId }, { projectId, taskId }));
}

/** Undefined if the file is gone. */
export async function findProjectOf(
  { db, orgId }: OrgDb,
  fileId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ projectId: string }>(
    'SELECT project_id AS "projectId" FROM files WHERE org_id = $1 AND id = $2',
    [orgId, fileId],
  );
  return row?.projectId;
}

export function findTasksWith({ db, orgId }: OrgDb, fileId: string): Promise<TaskRow[]> {
  return db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t WHERE t.org_id = $1 AND t.id IN (
       SELECT fu.task_id FROM file_uses fu WHERE fu.org_id = $1 AND fu.file_id = $2)
     ORDER BY t.number`,
    [orgId, fileId],
  );
}

export async function deleteUse(
  { db, orgId }: OrgDb,
  taskId: string,
  fileId: string,
): Promise<void> {
  await db.query('DELETE FROM file_uses WHERE org_id = $1 AND used_by_id = $2 AND file_id = $3', [
    orgId,
    taskId,
    fileId,
  ]);
}
