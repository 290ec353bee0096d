import type { OrgDb } from '../../../db/types.ts';

/** The task that is discussed in the session; undefined for any other session. */
export async function findTaskOfSession(
  { db, orgId }: OrgDb,
  sessionId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ taskId: string }>(
    `SELECT task_id AS "taskId" FROM sessions
     WHERE org_id = $1 AND id = $2 AND task_id IS NOT NULL`,
    [orgId, sessionId],
  );
  return row?.taskId;
}
