import type { Role, UserContext } from '../../../core/context.ts';
import type { OrgDb, OrgTransaction } from '../../../db/types.ts';
import { utcTime } from '../../../db/utc-time.ts';
import { attachmentsAmong } from '../../../access/attachments.ts';
import { CAN_READ_FILE } from '../../../access/files.ts';
import { CAN_READ_SESSION } from '../../../access/readable.ts';
import { callerOf } from '../../../access/standing.ts';
import type { ListScheduled, ScheduledMessage, UpdateScheduled } from './schema.ts';

export const MOST_SCHEDULED = 100;

/** The times are as `utcTime` has them. */
export type ScheduledRow = Omit<ScheduledMessage, 'status'>;

const COLUMNS = `scheduled.id, scheduled.session_id AS "sessionId",
  scheduled.parent_message_id AS "parentMessageId", scheduled.body,
  ${attachmentsAmong('scheduled.file_ids', CAN_READ_FILE)} AS attachments,
  ${utcTime('scheduled.send_at')} AS "sendAt", scheduled.failure,
  ${utcTime('scheduled.created_at')} AS "createdAt",
  CASE WHEN s.id IS NOT NULL
    THEN json_build_object('id', s.id, 'name', s.name, 'title', s.title) END AS session,
  CASE WHEN s.id IS NOT NULL
    THEN json_build_object('id', p.id, 'slug', p.slug, 'name', p.name) END AS project`;

/** The caller's own. Where it goes is named only if they may still read it. */
const OWN = `FROM scheduled_messages scheduled
  LEFT JOIN (sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id)
    ON s.org_id = $1 AND s.id = scheduled.session_id AND ${CAN_READ_SESSION}
  WHERE scheduled.org_id = $1 AND scheduled.user_id = $2`;

export interface NewScheduled {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  body: string;
  fileIds: readonly string[];
  sendAt: Date;
  byPerson: boolean;
}

/** False if the person has as many as they may. */
export async function insertScheduled(
  { db, orgId, actor }: UserContext,
  { id, sessionId, parentMessageId, body, fileIds, sendAt, byPerson }: NewScheduled,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO scheduled_messages (org_id, id, user_id, session_id, parent_message_id, body, send_at,
       by_person, file_ids)
     SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::timestamptz, $8::boolean, $9::text[]
     WHERE (SELECT count(*) FROM scheduled_messages other
       WHERE other.org_id = $1 AND other.user_id = $3) < ${MOST_SCHEDULED}
     RETURNING 1 AS inserted`,
    [orgId, id, actor.userId, sessionId, parentMessageId, body, sendAt, byPerson, fileIds],
  );
  return rows.length === 1;
}

export async function findScheduled(
  ctx: UserContext,
  id: string,
): Promise<ScheduledRow | undefined> {
  const [row] = await ctx.db.query<ScheduledRow>(`SELECT ${COLUMNS} ${OWN} AND scheduled.id = $4`, [
    ...callerOf(ctx),
    id,
  ]);
  return row;
}

/** The next one first. */
export async function listScheduled(
  ctx: UserContext,
  { page, limit }: ListScheduled,
): Promise<{ items: ScheduledRow[]; total: number }> {
  const rows = await ctx.db.query<ScheduledRow & { total: number }>(
    `SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM scheduled_messages scheduled
       WHERE scheduled.org_id = $1 AND scheduled.user_id = $2) counted
     LEFT JOIN LATERAL (SELECT ${COLUMNS} ${OWN}
       ORDER BY scheduled.send_at, scheduled.id LIMIT $4 OFFSET $5) page ON true`,
    [...callerOf(ctx), limit, (page - 1) * limit],
  );
  return { items: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** A new time tries a failed one again. False if it is not there: it was sent, perhaps just now. */
export async function updateScheduled(
  { db, orgId, actor }: UserContext,
  id: string,
  { body, fileIds, sendAt }: Pick<UpdateScheduled, 'body' | 'fileIds' | 'sendAt'>,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE scheduled_messages SET body = coalesce($4, body),
       send_at = coalesce($5::timestamptz, send_at),
       failure = CASE WHEN $5::timestamptz IS NULL THEN failure END,
       file_ids = coalesce($6::text[], file_ids)
     WHERE org_id = $1 AND user_id = $2 AND id = $3 RETURNING 1 AS updated`,
    [orgId, actor.userId, id, body ?? null, sendAt ?? null, fileIds ?? null],
  );
  return rows.length === 1;
}

/** The files that it had. Undefined if there is no such message. */
export async function deleteScheduled(
  { db, orgId, actor }: UserContext,
  id: string,
): Promise<string[] | undefined> {
  const [row] = await db.query<{ fileIds: string[] }>(
    `DELETE FROM scheduled_messages WHERE org_id = $1 AND user_id = $2 AND id = $3
     RETURNING file_ids AS "fileIds"`,
    [orgId, actor.userId, id],
  );
  return row?.fileIds;
}

export interface Due {
  id: string;
  /** The time of the job. */
  at: Date;
}

/** By the job's time and not now(): on Citus, the clock of the row's node may be behind that of the jobs. */
const IS_DUE = `scheduled.org_id = $1 AND scheduled.id = $2 AND scheduled.failure IS NULL
  AND scheduled.send_at <= $3`;

export interface DueAuthor {
  userId: string;
  email: string;
  role: Role;
}

/** The author with their current role. Undefined if it is not due, was sent, or they have left. */
export async function findDueAuthor(
  { db, orgId }: OrgDb,
  { id, at }: Due,
): Promise<DueAuthor | undefined> {
  const [row] = await db.query<DueAuthor>(
    `SELECT u.id AS "userId", u.email, member.role FROM scheduled_messages scheduled
     JOIN memberships member ON member.org_id = $1 AND member.user_id = scheduled.user_id
     JOIN users u ON u.id = scheduled.user_id WHERE ${IS_DUE}`,
    [orgId, id, at],
  );
  return row;
}

export interface DueMessage {
  slug: string;
  sessionId: string;
  parentMessageId: string | null;
  body: string;
  fileIds: string[];
  byPerson: boolean;
}

/**
 * Locks it until it is posted and deleted in the same commit. Undefined if another process was faster. The
 * membership is locked first, as it is when somebody is removed.
 */
export async function claimDue(
  { db, orgId }: OrgTransaction,
  { id, at }: Due,
  { userId }: DueAuthor,
): Promise<DueMessage | undefined> {
  await db.query(
    'SELECT 1 AS locked FROM memberships WHERE org_id = $1 AND user_id = $2 FOR KEY SHARE',
    [orgId, userId],
  );
  const [row] = await db.query<DueMessage>(
    `SELECT p.slug, s.id AS "sessionId", scheduled.parent_message_id AS "parentMessageId",
       scheduled.body, scheduled.file_ids AS "fileIds", scheduled.by_person AS "byPerson" FROM scheduled_messages scheduled
     JOIN sessions s ON s.org_id = $1 AND s.id = scheduled.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE ${IS_DUE} FOR UPDATE OF scheduled`,
    [orgId, id, at],
  );
  return row;
}

export function deleteSentAtCommit({ db, orgId }: OrgTransaction, id: string): void {
  db.atCommit('DELETE FROM scheduled_messages WHERE org_id = $1 AND id = $2', [orgId, id]);
}

/** False if it was sent, changed or cancelled meanwhile. */
export async function markFailed(
  { db, orgId }: OrgDb,
  { id, at }: Due,
  failure: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE scheduled_messages scheduled SET failure = $4 WHERE ${IS_DUE} RETURNING 1 AS failed`,
    [orgId, id, at, failure],
  );
  return rows.length === 1;
}

/** For the person's own export: all of theirs. */
export function scanScheduled(ctx: UserContext): Promise<ScheduledRow[]> {
  return ctx.db.query<ScheduledRow>(
    `SELECT ${COLUMNS} ${OWN} ORDER BY scheduled.send_at, scheduled.id`,
    callerOf(ctx),
  );
}
