import type { UserContext } from '../../../core/context.ts';
import type { OrgDb, OrgTransaction } from '../../../db/types.ts';
import { utcTime } from '../../../db/utc-time.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../../lists/record-page.ts';
import type { TaskActivity } from '../schema.ts';

/** The time is as `utcTime` has it. */
export type ActivityRow = TaskActivity;
export type Change = ActivityRow['changes'][number];

const ACTIVITY_COLUMNS = `a.id, a.task_id AS "taskId", a.version, a.actor_user_id AS "actorUserId",
  a.actor_agent AS "actorAgent", a.changes, ${utcTime('a.created_at')} AS "createdAt"`;

/** Sent with COMMIT, so a change and its entry are stored together or not at all. */
export function insertActivityAtCommit(
  { db, orgId }: OrgTransaction,
  entry: Omit<ActivityRow, 'createdAt'> & { at: Date },
): void {
  db.atCommit(
    `INSERT INTO task_activity (org_id, task_id, version, id, actor_user_id, actor_agent, changes,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      orgId,
      entry.taskId,
      entry.version,
      entry.id,
      entry.actorUserId,
      entry.actorAgent,
      JSON.stringify(entry.changes),
      entry.at,
    ],
  );
}

/** Undefined if the task has no such entry. */
export async function findActivityVersion(
  { db, orgId }: OrgDb,
  taskId: string,
  id: string,
): Promise<number | undefined> {
  const [row] = await db.query<{ version: number }>(
    'SELECT version FROM task_activity WHERE org_id = $1 AND task_id = $2 AND id = $3',
    [orgId, taskId, id],
  );
  return row?.version;
}

/** Newest first. */
export function listActivity(
  { db, orgId }: OrgDb,
  taskId: string,
  { below, limit }: { below: number | null; limit: number },
): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(
    `SELECT ${ACTIVITY_COLUMNS} FROM task_activity a
     WHERE a.org_id = $1 AND a.task_id = $2 AND ($3::bigint IS NULL OR a.version < $3)
     ORDER BY a.version DESC LIMIT $4`,
    [orgId, taskId, below, limit],
  );
}

/** Every entry of the org, by task and version. */
export function scanActivity(
  ctx: UserContext,
  { after }: Pick<RecordQuery, 'after'>,
): Promise<ScannedRow<ActivityRow>[]> {
  const [taskId = '', version = '0'] = after.split(' ');
  return ctx.db.query(
    `SELECT a.task_id || ' ' || a.version AS at, ${ACTIVITY_COLUMNS} FROM task_activity a
     WHERE a.org_id = $1 AND (a.task_id, a.version) > ($2, $3::bigint)
     ORDER BY a.task_id, a.version LIMIT $4`,
    [ctx.orgId, taskId, version, RECORDS_PER_PAGE],
  );
}
