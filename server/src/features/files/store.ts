import { IS_OWN_PROJECT } from '../../access/direct.ts';
import { CAN_READ_FILE, ONLY_FILE_READERS } from '../../access/files.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';
import type { UserContext } from '../../core/context.ts';
import { plannedForValues, queryWith } from '../../db/query-with.ts';
import type { OrgDb, OrgTransaction, Queryable } from '../../db/types.ts';
import type { FileStatus, TextStatus } from './schema.ts';

export interface FileRow {
  id: string;
  projectId: string;
  name: string;
  mediaType: string;
  size: number;
  sha256: string | null;
  status: FileStatus;
  reason: string | null;
  textStatus: TextStatus;
  textReason: string | null;
  pages: number | null;
  imageWidth: number | null;
  imageHeight: number | null;
  isShared: boolean;
  uploadedById: string | null;
  uploadedByAgent: string | null;
  /** Null until all bytes are there, and once they are gone. */
  storageKey: string | null;
  createdAt: Date;
}

/** Of file f. */
export const FILE_COLUMNS = `f.id, f.project_id AS "projectId", f.name, f.media_type AS "mediaType", f.size, f.sha256,
  f.status, f.reason, f.text_status AS "textStatus", f.text_reason AS "textReason", f.pages,
  f.image_width AS "imageWidth", f.image_height AS "imageHeight", f.is_shared AS "isShared",
  f.uploaded_by_id AS "uploadedById", f.uploaded_by_agent AS "uploadedByAgent",
  f.storage_key AS "storageKey", f.created_at AS "createdAt"`;

/** Where files may be: a Project, or the one that holds direct conversations, to which every member belongs. */
export interface FilesPlace {
  isMember: boolean;
  archivedAt: Date | null;
  isDirect: boolean;
}

export async function findFilesPlace(
  ctx: UserContext,
  projectId: string,
): Promise<FilesPlace | undefined> {
  const [row] = await ctx.db.sharedRead<FilesPlace>(
    `SELECT ${IS_PROJECT_MEMBER} AS "isMember", p.archived_at AS "archivedAt",
       NOT ${IS_OWN_PROJECT} AS "isDirect"
     FROM projects p WHERE p.org_id = $1 AND p.id = $4`,
    [...callerOf(ctx), projectId],
  );
  return row;
}

/** Undefined if there is none, or the caller may not read it. */
export async function findReadableFile(
  ctx: UserContext,
  fileId: string,
): Promise<FileRow | undefined> {
  const [row] = await ctx.db.sharedRead<FileRow>(
    `SELECT ${FILE_COLUMNS} FROM files f JOIN projects p ON p.org_id = $1 AND p.id = f.project_id
     WHERE f.org_id = $1 AND f.id = $4 AND ${CAN_READ_FILE}`,
    [...callerOf(ctx), fileId],
  );
  return row;
}

/** Until the transaction ends, nobody else adds files. */
export async function lockQuota({ db, orgId }: OrgTransaction): Promise<void> {
  // FOR NO KEY UPDATE still lets others insert rows that refer to the org.
  await db.query('SELECT id FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}

/** What counts towards the quota: all files that have bytes, or may still get them. */
export async function sumOfFiles({ db, orgId }: OrgDb): Promise<{ bytes: number; files: number }> {
  const [sum] = await db.query<{ bytes: number; files: number }>(
    `SELECT coalesce(sum(size), 0)::bigint AS bytes, count(*) AS files FROM files
     WHERE org_id = $1 AND status NOT IN ('FAILED', 'REFUSED')`,
    [orgId],
  );
  return sum ?? { bytes: 0, files: 0 };
}

export type InsertedFile = Pick<
  FileRow,
  'id' | 'projectId' | 'name' | 'mediaType' | 'size' | 'uploadedById' | 'uploadedByAgent'
>;

/** Nothing uses it yet. */
export async function insertFile(
  { db, orgId }: OrgTransaction,
  file: InsertedFile,
): Promise<FileRow> {
  const [row] = await db.query<FileRow>(
    `INSERT INTO files AS f (org_id, id, project_id, name, media_type, size, status, uploaded_by_id,
       uploaded_by_agent, purge_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'UPLOADING', $7, $8, now() + interval '24 hours')
     RETURNING ${FILE_COLUMNS}`,
    [
      orgId,
      file.id,
      file.projectId,
      file.name,
      file.mediaType,
      file.size,
      file.uploadedById,
      file.uploadedByAgent,
    ],
  );
  return row as FileRow;
}

/** For the server itself, whoever may read it. */
export async function findFile({ db, orgId }: OrgDb, fileId: string): Promise<FileRow | undefined> {
  const [row] = await db.query<FileRow>(
    `SELECT ${FILE_COLUMNS} FROM files f WHERE f.org_id = $1 AND f.id = $2`,
    [orgId, fileId],
  );
  return row;
}

/** The files of a Project, or of all (null), that the caller may read, newest first. */
export async function listFiles(
  ctx: UserContext,
  projectId: string | null,
  { words, type, page, limit }: FileQuery,
): Promise<{ items: FileRow[]; total: number }> {
  // Count and page come from one snapshot. A page past the end still has the total.
  // Names are compared first: that costs less than finding out who may read each file.
  const rows = await queryWith<FileRow & { total: number }>(
    ctx.db,
    projectId === null ? plannedForValues(ctx.db) : {},
    `WITH readable AS (SELECT f.* FROM files f JOIN projects p ON p.org_id = $1 AND p.id = f.project_id
       WHERE f.org_id = $1 AND lower(f.name) LIKE ALL ($4::text[])
         AND ($5::text IS NULL OR starts_with(f.media_type, $5))
         ${projectId === null ? '' : 'AND f.project_id = $8'} AND ${CAN_READ_FILE})
     SELECT counted.total, ${FILE_COLUMNS} FROM (SELECT count(*) AS total FROM readable) counted
     LEFT JOIN (SELECT * FROM readable ORDER BY position DESC LIMIT $6 OFFSET $7) f ON true
     ORDER BY f.position DESC`,
    [
      ...callerOf(ctx),
      words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`),
      type ?? null,
      limit,
      (page - 1) * limit,
      ...(projectId === null ? [] : [projectId]),
    ],
  );
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.id !== null) };
}

export interface FileQuery {
  words: readonly string[];
  type?: string | undefined;
  page: number;
  limit: number;
}

/** Undefined if it was deleted. What nothing uses any more, and is not shared, is deleted in a week. */
export async function updateFile(
  { db, orgId }: OrgTransaction,
  fileId: string,
  { name, isShared }: { name?: string | undefined; isShared?: boolean | undefined },
): Promise<FileRow | undefined> {
  const [row] = await db.query<FileRow>(
    `UPDATE files f SET name = coalesce($3, f.name), is_shared = coalesce($4::boolean, f.is_shared),
       updated_at = now(), purge_at = CASE WHEN $4 THEN NULL ELSE f.purge_at END
     WHERE f.org_id = $1 AND f.id = $2 RETURNING ${FILE_COLUMNS}`,
    [orgId, fileId, name ?? null, isShared ?? null],
  );
  if (isShared === false) {
    await db.query(
      `UPDATE files SET purge_at = now() + interval '7 days'
       WHERE org_id = $1 AND id = $2 AND purge_at IS NULL AND NOT EXISTS (SELECT 1 FROM file_uses fu
         WHERE fu.org_id = $1 AND fu.file_id = $2)`,
      [orgId, fileId],
    );
  }
  return row;
}

/** Where the file is, and who alone may read it: null if every member of its Project may. */
export async function findAudience({ db, orgId }: OrgDb, fileId: string) {
  const [row] = await db.query<{ projectId: string; to: string[] | null }>(
    `SELECT f.project_id AS "projectId", ${ONLY_FILE_READERS} AS "to" FROM files f
     WHERE f.org_id = $1 AND f.id = $2`,
    [orgId, fileId],
  );
  return row;
}

/** The org that a file is in, of those that the person belongs to. */
export async function findOrgOfFile(
  db: Queryable,
  userId: string,
  fileId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ orgId: string }>(
    `/* all orgs */ SELECT f.org_id AS "orgId" FROM memberships m
     JOIN files f ON f.org_id = m.org_id AND f.id = $2 WHERE m.user_id = $1`,
    [userId, fileId],
  );
  return row?.orgId;
}
