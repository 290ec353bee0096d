import { callerOf, IS_PROJECT_MEMBER } from '../../../access/standing.ts';
import type { UploadState } from '../../../adapters/storage/storage.ts';
import type { UserContext } from '../../../core/context.ts';
import type { OrgDb, OrgTransaction, Queryable } from '../../../db/types.ts';
import type { FileStatus } from '../schema.ts';

/** A file that somebody uploads, and how far it is. */
export interface UploadRow {
  fileId: string;
  projectId: string;
  name: string;
  size: number;
  status: FileStatus;
  archivedAt: Date | null;
  /** Null once all bytes are there. */
  storageKey: string | null;
  uploadId: string | null;
  received: number;
  parts: unknown[];
  /** Of the request that writes, or was writing when its process died. */
  token: string | null;
  isHeld: boolean;
  expiresAt: Date;
}

/** How long a request that writes may be silent towards the database. */
const LEASE_SECONDS = 30;
const LEASE = `interval '${LEASE_SECONDS} seconds'`;
/** How long bytes can be sent. */
export const UPLOAD_HOURS = 24;

const COLUMNS = `f.id AS "fileId", f.project_id AS "projectId", f.name, f.size, f.status,
  u.storage_key AS "storageKey", u.storage_upload_id AS "uploadId", coalesce(u.received, f.size) AS received,
  coalesce(u.parts, '[]') AS parts, u.token, coalesce(u.held_until > now(), false) AS "isHeld",
  coalesce(u.expires_at, f.created_at + interval '${UPLOAD_HOURS} hours') AS "expiresAt"`;

/** The caller's own upload, for as long as its address works. Nobody else's. */
export async function findOwnUpload(ctx: UserContext, fileId: string) {
  const [row] = await ctx.db.query<UploadRow>(
    `SELECT ${COLUMNS}, p.archived_at AS "archivedAt"
     FROM files f JOIN projects p ON p.org_id = $1 AND p.id = f.project_id
     LEFT JOIN file_uploads u ON u.org_id = $1 AND u.file_id = f.id
     WHERE f.org_id = $1 AND f.id = $4 AND f.uploaded_by_id = $2 AND f.uploaded_by_agent IS NULL
       AND ${IS_PROJECT_MEMBER}
       AND coalesce(u.expires_at, f.created_at + interval '${UPLOAD_HOURS} hours') > now()`,
    [...callerOf(ctx), fileId],
  );
  return row;
}

export interface UploadLease {
  fileId: string;
  token: string;
}

/** Lets one request write: the one whose token it is. False if another one does, or the upload has changed. */
export async function takeUpload(
  { db, orgId }: OrgDb,
  { fileId, token }: UploadLease,
  { token: before, received }: Pick<UploadRow, 'token' | 'received'>,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE file_uploads SET token = $3, held_until = now() + ${LEASE}
     WHERE org_id = $1 AND file_id = $2 AND (token IS NULL OR held_until <= now())
       AND token IS NOT DISTINCT FROM $4::text AND received = $5 RETURNING 1 AS taken`,
    [orgId, fileId, token, before, received],
  );
  return rows.length === 1;
}

/** False if it is another request's turn by now, or there is no upload any more. */
export async function saveUpload(
  { db, orgId }: OrgDb,
  { fileId, token }: UploadLease,
  { received, parts }: UploadState,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE file_uploads SET received = $4, parts = $5::jsonb, held_until = now() + ${LEASE}
     WHERE org_id = $1 AND file_id = $2 AND token = $3 RETURNING 1 AS saved`,
    [orgId, fileId, token, received, JSON.stringify(parts)],
  );
  return rows.length === 1;
}

/** The same at the end of a request that did not send everything: another one may go on. */
export async function saveAndRelease(
  { db, orgId }: OrgDb,
  { fileId, token }: UploadLease,
  { received, parts }: UploadState,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE file_uploads SET received = $4, parts = $5::jsonb, token = NULL, held_until = NULL
     WHERE org_id = $1 AND file_id = $2 AND token = $3 RETURNING 1 AS saved`,
    [orgId, fileId, token, received, JSON.stringify(parts)],
  );
  return rows.length === 1;
}

export async function renewUpload(
  { db, orgId }: OrgDb,
  { fileId, token }: UploadLease,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE file_uploads SET held_until = now() + ${LEASE}
     WHERE org_id = $1 AND file_id = $2 AND token = $3 RETURNING 1 AS renewed`,
    [orgId, fileId, token],
  );
  return rows.length === 1;
}

export async function releaseUpload(
  { db, orgId }: OrgDb,
  { fileId, token }: UploadLease,
): Promise<void> {
  await db.query(
    `UPDATE file_uploads SET token = NULL, held_until = NULL
     WHERE org_id = $1 AND file_id = $2 AND token = $3`,
    [orgId, fileId, token],
  );
}

export async function insertUpload(
  { db, orgId }: OrgTransaction,
  upload: { fileId: string; storageKey: string; token: string | null },
): Promise<void> {
  await db.query(
    `INSERT INTO file_uploads (org_id, file_id, storage_key, token, held_until, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), now() + interval '${UPLOAD_HOURS} hours')`,
    [
      orgId,
      upload.fileId,
      upload.storageKey,
      upload.token,
      upload.token === null ? null : LEASE_SECONDS,
    ],
  );
}

/** What the storage has to know to go on with it. */
export async function setStorageUpload(
  { db, orgId }: OrgDb,
  fileId: string,
  uploadId: string | null,
): Promise<void> {
  await db.query(
    'UPDATE file_uploads SET storage_upload_id = $3 WHERE org_id = $1 AND file_id = $2',
    [orgId, fileId, uploadId],
  );
}

/** The bytes become the file's. False if it was deleted, or is another request's. */
export async function completeUpload(
  { db, orgId }: OrgTransaction,
  { fileId, token }: UploadLease,
  size: number,
): Promise<boolean> {
  const [upload] = await db.query<{ storageKey: string }>(
    `DELETE FROM file_uploads WHERE org_id = $1 AND file_id = $2 AND token = $3
     RETURNING storage_key AS "storageKey"`,
    [orgId, fileId, token],
  );
  if (!upload) return false;
  await db.query(
    `UPDATE files SET status = 'CHECKING', storage_key = $3, size = $4, updated_at = now()
     WHERE org_id = $1 AND id = $2`,
    [orgId, fileId, upload.storageKey, size],
  );
  await db.query(
    `UPDATE files SET purge_at = now() + interval '24 hours'
     WHERE org_id = $1 AND id = $2 AND purge_at IS NOT NULL`,
    [orgId, fileId],
  );
  return true;
}

/** Where the bytes of a new file go. */
export async function findUpload({ db, orgId }: OrgDb, fileId: string) {
  const [row] = await db.query<{ storageKey: string; uploadId: string | null }>(
    `SELECT storage_key AS "storageKey", storage_upload_id AS "uploadId" FROM file_uploads
     WHERE org_id = $1 AND file_id = $2`,
    [orgId, fileId],
  );
  return row;
}

export interface StuckUpload {
  orgId: string;
  fileId: string;
  storageKey: string;
  uploadId: string | null;
  received: number;
  parts: unknown[];
  token: string | null;
}

/** Uploads of all orgs that have all bytes, and nobody who writes. */
export async function listStuckUploads(db: Queryable): Promise<StuckUpload[]> {
  return db.query(
    `/* all orgs */ SELECT u.org_id AS "orgId", u.file_id AS "fileId", u.storage_key AS "storageKey",
       u.storage_upload_id AS "uploadId", u.received, u.parts, u.token
     FROM file_uploads u JOIN files f ON f.org_id = u.org_id AND f.id = u.file_id
     WHERE u.received = f.size AND (u.token IS NULL OR u.held_until <= now()) LIMIT 200`,
  );
}
