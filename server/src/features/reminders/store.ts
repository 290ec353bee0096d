import type { UserContext } from '../../core/context.ts';
import type { OrgTransaction } from '../../db/types.ts';
import { utcTime } from '../../db/utc-time.ts';
import { FILE_NAMES } from '../../access/attachments.ts';
import { CAN_READ_SESSION } from '../../access/readable.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';
import type { ListReminders, Reminder } from './schema.ts';

export const MOST_REMINDERS = 500;
const EXCERPT = 300;

/** The times are as `utcTime` has them. */
export interface ReminderRow extends Reminder {
  /** The names of the message's files, if it says nothing else. They are plain text. */
  fileNames: string | null;
}

const SESSION = `json_build_object('id', s.id, 'name', s.name, 'title', s.title)`;
const PROJECT = `json_build_object('id', p.id, 'slug', p.slug, 'name', p.name)`;

/** The message with the id `id`, if the caller may read it. */
const readableMessage = (id: string) => `SELECT m.id, left(m.body, ${EXCERPT}) AS excerpt,
    ${FILE_NAMES} AS file_names, ${SESSION} AS session, ${PROJECT} AS project
  FROM messages m JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
  JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
  WHERE m.org_id = $1 AND m.id = ${id} AND m.deleted_at IS NULL AND ${CAN_READ_SESSION}`;

const readableTask = (id: string) => `SELECT t.id, t.number, t.title, ${PROJECT} AS project
  FROM tasks t JOIN projects p ON p.org_id = $1 AND p.id = t.project_id
  WHERE t.org_id = $1 AND t.id = ${id} AND ${IS_PROJECT_MEMBER}`;

const COLUMNS = `r.id, ${utcTime('r.remind_at')} AS at, r.note AS text, r.message_id AS "messageId",
  r.task_id AS "taskId", task.number AS "taskNumber",
  coalesce(message.excerpt, task.title) AS excerpt, message.file_names AS "fileNames",
  message.session,
  coalesce(message.project, task.project) AS project, ${utcTime('r.created_at')} AS "createdAt"`;

/** The caller's own. What it is about is quoted only if they may still read it. */
const OWN = `FROM reminders r
  LEFT JOIN LATERAL (${readableMessage('r.message_id')}) message ON true
  LEFT JOIN LATERAL (${readableTask('r.task_id')}) task ON true
  WHERE r.org_id = $1 AND r.user_id = $2`;

/** Whether the caller may read what they want to be reminded of. */
export async function isReadable(
  ctx: UserContext,
  { messageId, taskId }: { messageId?: string | undefined; taskId?: string | undefined },
): Promise<boolean> {
  const rows = await ctx.db.query(
    messageId === undefined ? readableTask('$4') : readableMessage('$4'),
    [...callerOf(ctx), messageId ?? taskId ?? ''],
  );
  return rows.length === 1;
}

export interface NewReminder {
  id: string;
  at: Date;
  messageId: string | null;
  taskId: string | null;
  text: string | null;
}

/** False if the person has as many as they may. */
export async function insertReminder(
  { db, orgId, actor }: UserContext,
  { id, at, messageId, taskId, text }: NewReminder,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO reminders (org_id, id, user_id, remind_at, message_id, task_id, note)
     SELECT $1::text, $2::text, $3::text, $4::timestamptz, $5::text, $6::text, $7::text
     WHERE (SELECT count(*) FROM reminders other
       WHERE other.org_id = $1 AND other.user_id = $3) < ${MOST_REMINDERS}
     RETURNING 1 AS inserted`,
    [orgId, id, actor.userId, at, messageId, taskId, text],
  );
  return rows.length === 1;
}

export async function findReminder(ctx: UserContext, id: string): Promise<ReminderRow | undefined> {
  const [row] = await ctx.db.query<ReminderRow>(`SELECT ${COLUMNS} ${OWN} AND r.id = $4`, [
    ...callerOf(ctx),
    id,
  ]);
  return row;
}

/** The next one first. */
export async function listReminders(
  ctx: UserContext,
  { page, limit }: ListReminders,
): Promise<{ items: ReminderRow[]; total: number }> {
  const rows = await ctx.db.query<ReminderRow & { total: number }>(
    `SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM reminders r
       WHERE r.org_id = $1 AND r.user_id = $2) counted
     LEFT JOIN LATERAL (SELECT ${COLUMNS} ${OWN}
       ORDER BY r.remind_at, r.id LIMIT $4 OFFSET $5) page ON true`,
    [...callerOf(ctx), limit, (page - 1) * limit],
  );
  return { items: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** For the person's own export. */
export function scanReminders(ctx: UserContext): Promise<ReminderRow[]> {
  return ctx.db.query<ReminderRow>(
    `SELECT ${COLUMNS} ${OWN} ORDER BY r.remind_at, r.id`,
    callerOf(ctx),
  );
}

/** False if it is not there: perhaps it was just due. */
export async function updateReminder(
  { db, orgId, actor }: UserContext,
  id: string,
  { at, text }: { at: Date | undefined; text: string | undefined },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE reminders SET remind_at = coalesce($4::timestamptz, remind_at),
       note = CASE WHEN note IS NOT NULL THEN coalesce($5, note) END
     WHERE org_id = $1 AND user_id = $2 AND id = $3 RETURNING 1 AS updated`,
    [orgId, actor.userId, id, at ?? null, text ?? null],
  );
  return rows.length === 1;
}

export async function deleteReminder(
  { db, orgId, actor }: UserContext,
  id: string,
): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM reminders WHERE org_id = $1 AND user_id = $2 AND id = $3 RETURNING 1 AS deleted',
    [orgId, actor.userId, id],
  );
  return rows.length === 1;
}

export interface DueReminder {
  id: string;
  /** The time of the job. */
  at: Date;
}

/**
 * Locks it until the person is told. Undefined if it was moved to later, or another process was faster. The
 * time is the job's and not now(): on Citus, the clock of the row's node may be behind that of the jobs.
 */
export async function claimDue(
  { db, orgId }: OrgTransaction,
  { id, at }: DueReminder,
): Promise<{ userId: string } | undefined> {
  const [row] = await db.query<{ userId: string }>(
    `SELECT r.user_id AS "userId" FROM reminders r
     WHERE r.org_id = $1 AND r.id = $2 AND r.remind_at <= $3 FOR UPDATE`,
    [orgId, id, at],
  );
  return row;
}

export function deleteToldAtCommit({ db, orgId }: OrgTransaction, id: string): void {
  db.atCommit('DELETE FROM reminders WHERE org_id = $1 AND id = $2', [orgId, id]);
}
