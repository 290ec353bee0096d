import type { UserContext } from '../../core/context.ts';
import { NO_ID } from '../../db/no-id.ts';
import type { OrgDb, OrgTransaction } from '../../db/types.ts';
import { utcTime } from '../../db/utc-time.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../lists/record-page.ts';
import { callerOf, IS_PROJECT_MEMBER, isProjectMember } from '../../access/standing.ts';
import { TASK_ATTACHMENTS } from '../../access/attachments.ts';
import { CAN_READ_SESSION } from '../../access/readable.ts';
import type { Task, TaskPath } from './schema.ts';
import type { Priority, Status } from './status.ts';
import { wordsOf } from './search-words.ts';

/** What people and agents decide about a task. */
export interface TaskFields {
  title: string;
  description: string | null;
  status: Status;
  priority: Priority;
  assigneeUserId: string | null;
  assigneeAgent: string | null;
  dueOn: string | null;
  labels: string[];
  parentTaskId: string | null;
}

/** An agent that was told to work on the task. */
export type TaskRun = NonNullable<Task['run']> & {
  /** Where the task was before; null once a person has moved it. */
  from: { status: Status; rank: string } | null;
};

/** The times are as `utcTime` has them. */
export interface TaskRow extends Omit<Task, 'subtasks' | 'run'> {
  rank: string;
  subtaskTotal: number;
  subtaskDone: number;
  run: TaskRun | null;
}

/** The subtasks of task t that are not archived. */
const SUBTASKS = `FROM tasks sub
  WHERE sub.org_id = $1 AND sub.parent_task_id = t.id AND sub.archived_at IS NULL`;

/** `description` is an expression for lists that do not read all of them at once. */
export const taskColumns = (
  description: string,
) => `t.id, t.project_id AS "projectId", t.number, t.title,
  ${description} AS description,
  t.status, t.rank, t.priority, t.assignee_user_id AS "assigneeUserId",
  t.assignee_agent AS "assigneeAgent", t.due_on::text AS "dueOn", t.labels,
  t.parent_task_id AS "parentTaskId", (SELECT parent.number FROM tasks parent
    WHERE parent.org_id = $1 AND parent.id = t.parent_task_id) AS "parentNumber",
  (SELECT count(*) ${SUBTASKS}) AS "subtaskTotal",
  (SELECT count(*) ${SUBTASKS} AND sub.status IN ('DONE', 'CANCELLED')) AS "subtaskDone",
  ${TASK_ATTACHMENTS} AS attachments, t.session_id AS "sessionId", t.source_message_id AS "sourceMessageId", t.run,
  t.created_by_id AS "createdById", t.created_by_agent AS "createdByAgent", t.version,
  ${utcTime('t.created_at')} AS "createdAt", ${utcTime('t.updated_at')} AS "updatedAt",
  ${utcTime('t.started_at')} AS "startedAt", ${utcTime('t.completed_at')} AS "completedAt",
  ${utcTime('t.archived_at')} AS "archivedAt"`;

export const TASK_COLUMNS = taskColumns('t.description');

/**
 * Until the transaction ends, so that the tasks of a Project are changed one at a time: their order, and
 * what holds between a task and its subtasks, depend on other rows. Returns when the Project was archived.
 */
export async function lockTasksOf({ db, orgId }: OrgDb, projectId: string): Promise<Date | null> {
  const [row] = await db.query<{ archivedAt: Date | null }>(
    `SELECT p.archived_at AS "archivedAt" FROM projects p
     WHERE p.org_id = $1 AND p.id = $2 FOR NO KEY UPDATE`,
    [orgId, projectId],
  );
  return row?.archivedAt ?? null;
}

/** The same, and the next number. Undefined if the Project is archived. */
export async function takeNumber(
  { db, orgId }: OrgDb,
  projectId: string,
): Promise<number | undefined> {
  const [row] = await db.query<{ number: number }>(
    `UPDATE projects SET last_task_number = last_task_number + 1
     WHERE org_id = $1 AND id = $2 AND archived_at IS NULL RETURNING last_task_number AS number`,
    [orgId, projectId],
  );
  return row?.number;
}

export async function findTask(
  { db, orgId }: OrgDb,
  { projectId, taskId }: TaskPath,
): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t WHERE t.org_id = $1 AND t.project_id = $2 AND t.id = $3`,
    [orgId, projectId, taskId],
  );
  return row;
}

export function findTasks(
  { db, orgId }: OrgDb,
  projectId: string,
  taskIds: readonly string[],
): Promise<TaskRow[]> {
  return db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t
     WHERE t.org_id = $1 AND t.project_id = $2 AND t.id = ANY ($3) ORDER BY t.number`,
    [orgId, projectId, taskIds],
  );
}

/** What a task's new values refer to. */
export type References = Pick<TaskFields, 'assigneeUserId' | 'parentTaskId'>;

export interface Relations {
  isAssigneeMember: boolean;
  /** Null if the Project has no such task. */
  parentId: string | null;
  parentStatus: Status | null;
  parentArchived: boolean;
  isParentSubtask: boolean;
  /** Of the task itself. */
  hasSubtasks: boolean;
  hasOpenSubtasks: boolean;
}

export async function findRelations(
  { db, orgId }: OrgDb,
  { projectId, taskId }: TaskPath,
  { assigneeUserId, parentTaskId }: References,
): Promise<Relations> {
  const [row] = await db.query<Relations>(
    `SELECT EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = $1 AND m.user_id = $4
         AND ${isProjectMember('m.user_id', 'm.role')}) AS "isAssigneeMember",
       parent.id AS "parentId", parent.status AS "parentStatus",
       parent.archived_at IS NOT NULL AS "parentArchived",
       parent.parent_task_id IS NOT NULL AS "isParentSubtask",
       EXISTS (SELECT 1 FROM tasks sub
         WHERE sub.org_id = $1 AND sub.parent_task_id = $3) AS "hasSubtasks",
       EXISTS (SELECT 1 FROM tasks sub WHERE sub.org_id = $1 AND sub.parent_task_id = $3
         AND sub.archived_at IS NULL
         AND sub.status NOT IN ('DONE', 'CANCELLED')) AS "hasOpenSubtasks"
     FROM projects p
     LEFT JOIN tasks parent ON parent.org_id = $1 AND parent.project_id = p.id AND parent.id = $5
     WHERE p.org_id = $1 AND p.id = $2`,
    [orgId, projectId, taskId, assigneeUserId, parentTaskId ?? NO_ID],
  );
  return row as Relations;
}

/** The session of the message that a task is made from. Undefined if the caller may read no such message in the Project. */
export async function findSource(
  ctx: UserContext,
  projectId: string,
  messageId: string,
): Promise<{ sessionId: string } | undefined> {
  const [row] = await ctx.db.query<{ sessionId: string }>(
    `SELECT m.session_id AS "sessionId" FROM messages m
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE m.org_id = $1 AND m.id = $5 AND m.deleted_at IS NULL AND s.project_id = $4
       AND ${CAN_READ_SESSION}`,
    [...callerOf(ctx), projectId, messageId],
  );
  return row;
}

/** What this agent has proposed because of this message, under this title. */
export async function findProposal(
  { db, orgId }: OrgDb,
  { sourceMessageId, agent, title }: { sourceMessageId: string; agent: string; title: string },
): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t WHERE t.org_id = $1 AND t.source_message_id = $2
       AND t.created_by_agent = $3 AND t.title = $4 ORDER BY t.number LIMIT 1`,
    [orgId, sourceMessageId, agent, title],
  );
  return row;
}

/** Those of agents that nobody has accepted or declined yet. */
export async function countAgentProposals(
  { db, orgId }: OrgDb,
  projectId: string,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) FROM tasks WHERE org_id = $1 AND project_id = $2 AND status = 'PROPOSED'
       AND created_by_agent IS NOT NULL AND archived_at IS NULL`,
    [orgId, projectId],
  );
  return row?.count ?? 0;
}

/** $n: the words of a task, as `wordsOf` has them. */
const wordsIn = (parameter: string) => `array_to_tsvector(${parameter}::text[])`;

export interface NewTask extends TaskFields {
  id: string;
  projectId: string;
  number: number;
  rank: string;
  sourceMessageId: string | null;
  createdByAgent: string | null;
  at: Date;
}

export async function insertTask(ctx: UserContext, task: NewTask): Promise<TaskRow> {
  const inserted = ctx.db.query(
    `INSERT INTO tasks (org_id, id, project_id, number, title, description, status, rank,
       priority, assignee_user_id, assignee_agent, due_on, labels, parent_task_id,
       source_message_id, created_by_id, created_by_agent, created_at, updated_at, started_at,
       completed_at, words)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18,
       CASE WHEN $7 IN ('IN_PROGRESS', 'IN_REVIEW') THEN $18::timestamptz END,
       CASE WHEN $7 IN ('DONE', 'CANCELLED') THEN $18::timestamptz END, ${wordsIn('$19')})`,
    [
      ctx.orgId,
      task.id,
      task.projectId,
      task.number,
      task.title,
      task.description,
      task.status,
      task.rank,
      task.priority,
      task.assigneeUserId,
      task.assigneeAgent,
      task.dueOn,
      task.labels,
      task.parentTaskId,
      task.sourceMessageId,
      ctx.actor.userId,
      task.createdByAgent,
      task.at,
      wordsOf(task.projectId, task),
    ],
  );
  const { projectId, id: taskId } = task;
  const [, row] = await Promise.all([inserted, findTask(ctx, { projectId, taskId })]);
  return row as TaskRow;
}

export type TaskVersion = Pick<TaskRow, 'id' | 'projectId' | 'version'>;

/** Every version has one successor: undefined if the task has changed since it was read. */
export async function updateTask(
  { db, orgId }: OrgDb,
  { id: taskId, projectId, version }: TaskVersion,
  task: TaskFields & { rank: string; run: TaskRun | null; at: Date },
): Promise<TaskRow | undefined> {
  const updated = db.query(
    `UPDATE tasks t SET title = $4, description = $5, status = $6, rank = $7, priority = $8,
       assignee_user_id = $9, assignee_agent = $10, due_on = $11, labels = $12, parent_task_id = $13,
       version = t.version + 1, updated_at = $14, run = $15,
       words = ${wordsIn('$16')},
       started_at = CASE WHEN $6 IN ('IN_PROGRESS', 'IN_REVIEW')
         THEN coalesce(t.started_at, $14) ELSE t.started_at END,
       completed_at = CASE WHEN $6 NOT IN ('DONE', 'CANCELLED') THEN NULL
         WHEN $6 = t.status THEN t.completed_at ELSE $14::timestamptz END
     WHERE t.org_id = $1 AND t.id = $2 AND t.version = $3 RETURNING 1 AS updated`,
    [
      orgId,
      taskId,
      version,
      task.title,
      task.description,
      task.status,
      task.rank,
      task.priority,
      task.assigneeUserId,
      task.assigneeAgent,
      task.dueOn,
      task.labels,
      task.parentTaskId,
      task.at,
      task.run && JSON.stringify(task.run),
      wordsOf(projectId, task),
    ],
  );
  return ifChanged(updated, findTask({ db, orgId }, { projectId, taskId }));
}

export async function setArchived(
  { db, orgId }: OrgDb,
  { id: taskId, projectId, version }: TaskVersion,
  { isArchived, at }: { isArchived: boolean; at: Date },
): Promise<TaskRow | undefined> {
  const updated = db.query(
    `UPDATE tasks t SET archived_at = CASE WHEN $4::boolean THEN $5::timestamptz END,
       version = t.version + 1, updated_at = $5
     WHERE t.org_id = $1 AND t.id = $2 AND t.version = $3 RETURNING 1 AS updated`,
    [orgId, taskId, version, isArchived, at],
  );
  return ifChanged(updated, findTask({ db, orgId }, { projectId, taskId }));
}

/** The version stays: whoever edits the task need not know. */
export async function setSession(
  { db, orgId }: OrgDb,
  taskId: string,
  sessionId: string,
): Promise<void> {
  await db.query('UPDATE tasks SET session_id = $3 WHERE org_id = $1 AND id = $2', [
    orgId,
    taskId,
    sessionId,
  ]);
}

export async function ifChanged(
  changed: Promise<object[]>,
  found: Promise<TaskRow | undefined>,
): Promise<TaskRow | undefined> {
  const [rows, row] = await Promise.all([changed, found]);
  return rows.length === 1 ? row : undefined;
}

/** An agent that is renamed stays the assignee. */
export function renameAssigneeAtCommit(
  { db, orgId }: OrgTransaction,
  { from, to }: { from: string; to: string },
): void {
  db.atCommit('UPDATE tasks SET assignee_agent = $3 WHERE org_id = $1 AND assignee_agent = $2', [
    orgId,
    from,
    to,
  ]);
}

/** Every task of the org in the order of their ids, or only those that the caller made and can see. */
export function scanTasks(
  ctx: UserContext,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<TaskRow>[]> {
  return ctx.db.query(
    `SELECT page.id AS at, ${TASK_COLUMNS}
     FROM (SELECT id FROM tasks WHERE org_id = $1 AND id > $4 ORDER BY id LIMIT $6) page
     LEFT JOIN tasks t ON t.org_id = $1 AND t.id = page.id AND (NOT $5
       OR t.created_by_id = $2 AND EXISTS (SELECT 1 FROM projects p
         WHERE p.org_id = $1 AND p.id = t.project_id AND ${IS_PROJECT_MEMBER}))
     ORDER BY page.id`,
    [...callerOf(ctx), after, isOwn, RECORDS_PER_PAGE],
  );
}
