import type { z } from 'zod';
import { ATTACHMENT } from '../../../access/attachments.ts';
import { CAN_READ_FILE, canReadFile, ONLY_FILE_READERS } from '../../../access/files.ts';
import { callerOf } from '../../../access/standing.ts';
import type { Role, UserContext } from '../../../core/context.ts';
import type { ExplainFailure, OrgDb, OrgTransaction, Statement } from '../../../db/types.ts';
import type { Attachment } from '../schema.ts';

/** As `MESSAGE_ATTACHMENTS` and the others in access/attachments.ts read it. */
export type AttachmentRow = z.output<typeof Attachment>;

/** A Project by its id or by its slug. */
export type AttachingProject = { projectId: string } | { slug: string };

/** What has files. */
export type User = { messageId: string } | { taskId: string };

export interface Attaching {
  fileIds: readonly string[];
  /** The person who may read the files. Null if somebody in a chat channel, or the server itself, has added them. */
  by: { userId: string; role: Role } | null;
}

/** How long a file that was attached is kept when nothing has it any more. */
const KEPT = "interval '7 days'";

/** Whatever changes the uses of a file, or the file, locks it first, and files in this order. */
const LOCK = `SELECT f.id FROM files f WHERE f.org_id = $1 AND f.id = ANY ($2)
  ORDER BY f.id FOR NO KEY UPDATE`;

const KEEP =
  'UPDATE files SET purge_at = NULL WHERE org_id = $1 AND id = ANY ($2) AND purge_at IS NOT NULL';

/** Those that nothing uses any more. What is shared belongs to the Project, and stays. */
const LET_GO = `UPDATE files f SET purge_at = now() + ${KEPT}
  WHERE f.org_id = $1 AND f.id = ANY ($2) AND NOT f.is_shared AND NOT EXISTS (
    SELECT 1 FROM file_uses fu WHERE fu.org_id = $1 AND fu.file_id = f.id)`;

interface FoundFile {
  attachment: AttachmentRow;
  reason: string | null;
}

/** Of these, those of the Project that the caller may read, whatever their status. */
export function findReadable(
  ctx: UserContext,
  project: AttachingProject,
  fileIds: readonly string[],
): Promise<FoundFile[]> {
  const { column, value } = columnOf(project);
  return ctx.db.sharedRead<FoundFile>(
    `SELECT ${ATTACHMENT} AS attachment, f.reason
     FROM unnest($4::text[]) WITH ORDINALITY AS given (id, nth)
     JOIN files f ON f.org_id = $1 AND f.id = given.id
     JOIN projects p ON p.org_id = $1 AND p.id = f.project_id
     WHERE ${column} = $5 AND ${CAN_READ_FILE} ORDER BY given.nth`,
    [...callerOf(ctx), fileIds, value],
  );
}

function columnOf(project: AttachingProject): { column: string; value: string } {
  return 'slug' in project
    ? { column: 'p.slug', value: project.slug }
    : { column: 'p.id', value: project.projectId };
}

/** Who may read it, to tell them that it has changed. */
export interface Told {
  projectId: string;
  fileId: string;
  /** Null: every member of the Project. */
  to: string[] | null;
}

/** Whether file f of Project p can be attached there, by the person $4 with the role $5. */
const IS_ATTACHABLE = `f.status IN ('CHECKING', 'READY')
  AND ($4::text IS NULL OR ${canReadFile('$4', '$5::text')})`;

/** A file that can't be attached has no id, which a constraint refuses. */
const USE_BY_MESSAGE = `INSERT INTO file_uses (org_id, file_id, used_by_id, message_id, position, added_by_id)
  SELECT $1::text, usable.id, $2::text, $2::text, given.nth, $4::text
  FROM unnest($3::text[]) WITH ORDINALITY AS given (id, nth)
  LEFT JOIN (SELECT f.id FROM messages m
    JOIN sessions ms ON ms.org_id = $1 AND ms.id = m.session_id
    JOIN projects p ON p.org_id = $1 AND p.id = ms.project_id
    JOIN files f ON f.org_id = $1 AND f.project_id = p.id AND f.id = ANY ($3)
    WHERE m.org_id = $1 AND m.id = $2 AND m.deleted_at IS NULL AND ${IS_ATTACHABLE}) usable ON usable.id = given.id`;

/**
 * In the commit that inserts the message, after it. Files are locked before the session, and each is looked at
 * again with its lock: what was deleted or can't be read any more fails the commit.
 */
export function attachToMessageAtCommit(
  { db, orgId }: OrgTransaction,
  messageId: string,
  { fileIds, by }: Attaching,
  { explain, tell }: { explain: ExplainFailure; tell: (told: readonly Told[]) => void },
): void {
  db.atCommit(LOCK, [orgId, fileIds]);
  db.atCommit(KEEP, [orgId, fileIds]);
  const caller = [by?.userId ?? null, by?.role ?? null];
  const values = [orgId, messageId, fileIds, ...caller];
  db.atCommit(USE_BY_MESSAGE, values, { order: 'last', explain });
  db.atCommit(
    `SELECT f.id AS "fileId", f.project_id AS "projectId", ${ONLY_FILE_READERS} AS "to"
     FROM files f WHERE f.org_id = $1 AND f.id = ANY ($2)`,
    [orgId, fileIds],
    { order: 'last', returned: (rows) => tell(rows as Told[]) },
  );
}

export async function lockFiles({ db, orgId }: OrgDb, fileIds: readonly string[]): Promise<void> {
  await db.query(LOCK, [orgId, fileIds]);
}

/** The caller has locked them all, and those that the task had. */
export async function replaceUsesOfTask(
  { db, orgId }: OrgDb,
  taskId: string,
  {
    fileIds,
    before,
    userId,
  }: { fileIds: readonly string[]; before: readonly string[]; userId: string },
): Promise<void> {
  await Promise.all([
    db.query(
      'DELETE FROM file_uses WHERE org_id = $1 AND used_by_id = $2 AND NOT file_id = ANY ($3)',
      [orgId, taskId, fileIds],
    ),
    db.query(
      `INSERT INTO file_uses (org_id, file_id, used_by_id, task_id, position, added_by_id)
       SELECT $1::text, given.id, $2::text, $2::text, given.nth, $4::text
       FROM unnest($3::text[]) WITH ORDINALITY AS given (id, nth)
       ON CONFLICT (org_id, used_by_id, file_id) DO UPDATE SET position = excluded.position`,
      [orgId, taskId, fileIds, userId],
    ),
    db.query(KEEP, [orgId, fileIds]),
    db.query(LET_GO, [orgId, before.filter((id) => !fileIds.includes(id))]),
  ]);
}

/** Locks what a message or task has, and returns it with who could read it, and who has uploaded it. */
export function lockUsed({ db, orgId }: OrgDb, usedById: string): Promise<Told[]> {
  return db.query<Told>(
    `SELECT f.id AS "fileId", f.project_id AS "projectId",
       ${ONLY_FILE_READERS} || array_remove(ARRAY[f.uploaded_by_id], NULL) AS "to"
     FROM files f JOIN file_uses fu ON fu.org_id = $1 AND fu.file_id = f.id
     WHERE f.org_id = $1 AND fu.used_by_id = $2 ORDER BY f.id FOR NO KEY UPDATE OF f`,
    [orgId, usedById],
  );
}

/** The caller has locked the files. */
export async function deleteUses(
  { db, orgId }: OrgDb,
  usedById: string,
  fileIds: readonly string[],
): Promise<void> {
  await Promise.all([
    db.query('DELETE FROM file_uses WHERE org_id = $1 AND used_by_id = $2 AND file_id = ANY ($3)', [
      orgId,
      usedById,
      fileIds,
    ]),
    db.query(LET_GO, [orgId, fileIds]),
  ]);
}

/** They were to be attached later, and are not: so they are kept as if they had been. */
export async function keepForNow({ db, orgId }: OrgDb, fileIds: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE files SET purge_at = now() + ${KEPT}
     WHERE org_id = $1 AND id = ANY ($2) AND purge_at < now() + ${KEPT}`,
    [orgId, fileIds],
  );
}

/** Where a file is shown. */
export interface Shown {
  projectId: string;
  /** Of a message. */
  sessionId: string | null;
  messageId: string | null;
  taskId: string | null;
}

const USING_SESSIONS = `(SELECT m.session_id FROM file_uses fu
  JOIN messages m ON m.org_id = $1 AND m.id = fu.message_id
  WHERE fu.org_id = $1 AND fu.file_id = $2)`;

/**
 * Pages of these sessions are kept by their version. They are locked in the order of their ids, so that two changes
 * of files never wait for each other in a circle. The last one returns rows of `Shown`.
 */
export function raisingShown(
  orgId: string,
  fileId: string,
): [lock: Statement, raise: Statement, find: Statement] {
  const values = [orgId, fileId];
  const statement = (text: string) => ({ text, values });
  return [
    statement(`SELECT s.id FROM sessions s WHERE s.org_id = $1 AND s.id IN ${USING_SESSIONS}
     ORDER BY s.id FOR NO KEY UPDATE`),
    statement(
      `UPDATE sessions SET version = version + 1 WHERE org_id = $1 AND id IN ${USING_SESSIONS}`,
    ),
    statement(`SELECT f.project_id AS "projectId", m.session_id AS "sessionId", fu.message_id AS "messageId",
       fu.task_id AS "taskId"
     FROM file_uses fu JOIN files f ON f.org_id = $1 AND f.id = fu.file_id
     LEFT JOIN messages m ON m.org_id = $1 AND m.id = fu.message_id
     WHERE fu.org_id = $1 AND fu.file_id = $2`),
  ];
}

/** Nobody attaches it from now on, until the transaction ends. */
export async function lockToDelete({ db, orgId }: OrgDb, fileId: string): Promise<void> {
  await db.query('SELECT 1 AS locked FROM files WHERE org_id = $1 AND id = $2 FOR UPDATE', [
    orgId,
    fileId,
  ]);
}
