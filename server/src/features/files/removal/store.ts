import { UPLOAD_HOURS } from '../uploads/store.ts';
import { isScheduled } from '../../../access/attachments.ts';
import type { OrgDb, OrgTransaction, Queryable } from '../../../db/types.ts';

/** Bytes that nothing refers to any more, finished or not. */
export interface Remains {
  orgId: string;
  storageKey: string;
  uploadId: string | null;
}

/**
 * Deletes a file with its uses, and notes its bytes and previews for deletion. Undefined if there was none. The rows
 * stay locked until the commit, so no upload or check gives it other bytes meanwhile.
 */
export async function deleteFileRow(
  { db, orgId }: OrgTransaction,
  fileId: string,
  { onlyIfExpired = false } = {},
) {
  const [file] = await db.query<{ storageKey: string | null; isExpired: boolean }>(
    `SELECT f.storage_key AS "storageKey", ${IS_EXPIRED} AS "isExpired" FROM files f
     WHERE f.org_id = $1 AND f.id = $2 FOR UPDATE`,
    [orgId, fileId],
  );
  if (!file || (onlyIfExpired && !file.isExpired)) return undefined;
  const [upload] = await db.query<{ storageKey: string; uploadId: string | null }>(
    `DELETE FROM file_uploads WHERE org_id = $1 AND file_id = $2
     RETURNING storage_key AS "storageKey", storage_upload_id AS "uploadId"`,
    [orgId, fileId],
  );
  const bytes = upload ?? { storageKey: file.storageKey, uploadId: null };
  if (bytes.storageKey !== null) {
    await noteRemains({ db, orgId }, bytes.storageKey, bytes.uploadId);
    await endPreviews({ db, orgId }, bytes.storageKey);
  }
  // Last, so that listeners still find what it is attached to.
  const text = 'DELETE FROM files WHERE org_id = $1 AND id = $2';
  db.atCommit(text, [orgId, fileId], { order: 'last' });
  return { storageKey: bytes.storageKey };
}

/** Nothing has used file f for long enough, or nobody goes on uploading it. */
const IS_EXPIRED = `(coalesce(f.purge_at <= now(), false) AND NOT ${isScheduled('$1')} OR f.status = 'UPLOADING'
  AND f.created_at <= now() - interval '${UPLOAD_HOURS} hours')`;

/** Of all orgs. */
export async function listExpired(db: Queryable): Promise<{ orgId: string; fileId: string }[]> {
  return db.query(
    `/* all orgs */ SELECT f.org_id AS "orgId", f.id AS "fileId" FROM files f
     WHERE f.purge_at <= now() AND NOT ${isScheduled('f.org_id')}
     UNION SELECT u.org_id, u.file_id FROM file_uploads u WHERE u.expires_at <= now() LIMIT 200`,
  );
}

/** Those of these keys that something refers to. */
export async function findNamedKeys(
  { db, orgId }: OrgDb,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<{ key: string }>(
    `SELECT storage_key AS key FROM files WHERE org_id = $1 AND storage_key = ANY ($2)
     UNION ALL SELECT storage_key FROM file_uploads WHERE org_id = $1 AND storage_key = ANY ($2)
     UNION ALL SELECT storage_key FROM file_remains WHERE org_id = $1 AND storage_key = ANY ($2)`,
    [orgId, keys],
  );
  return rows.map(({ key }) => key);
}

/** Bytes to be deleted now, or in some seconds if they are not a file's by then. */
export async function noteRemains(
  { db, orgId }: OrgDb,
  storageKey: string,
  uploadId: string | null = null,
  inSeconds = 0,
): Promise<void> {
  await db.query(
    `INSERT INTO file_remains (org_id, storage_key, storage_upload_id, delete_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4)) ON CONFLICT (org_id, storage_key)
     DO UPDATE SET delete_at = excluded.delete_at`,
    [orgId, storageKey, uploadId, inSeconds],
  );
}

/** The bytes are a file's, or gone. */
export async function forgetRemains({ db, orgId }: OrgDb, storageKey: string): Promise<void> {
  await db.query('DELETE FROM file_remains WHERE org_id = $1 AND storage_key = $2', [
    orgId,
    storageKey,
  ]);
}

/** Previews are kept under keys that begin with that of their file (see preview-key.ts). */
async function endPreviews({ db, orgId }: OrgDb, storageKey: string): Promise<void> {
  await db.query(
    `UPDATE file_remains SET delete_at = now()
     WHERE org_id = $1 AND starts_with(storage_key, $2 || '.')`,
    [orgId, storageKey],
  );
}

/** What is due of a file's bytes and previews. */
export async function listRemainsOf({ db, orgId }: OrgDb, storageKey: string): Promise<Remains[]> {
  return db.query(
    `SELECT org_id AS "orgId", storage_key AS "storageKey", storage_upload_id AS "uploadId"
     FROM file_remains WHERE org_id = $1 AND delete_at <= now()
       AND (storage_key = $2 OR starts_with(storage_key, $2 || '.'))`,
    [orgId, storageKey],
  );
}

/** What is due of all orgs, oldest first. */
export async function listDueRemains(db: Queryable, limit: number): Promise<Remains[]> {
  return db.query(
    `/* all orgs */ SELECT org_id AS "orgId", storage_key AS "storageKey", storage_upload_id AS "uploadId"
     FROM file_remains WHERE delete_at <= now() ORDER BY delete_at LIMIT $1`,
    [limit],
  );
}

/** Puts off what could not be deleted, so that it doesn't keep others from their turn. */
export async function postponeRemains({ db, orgId }: OrgDb, storageKey: string): Promise<void> {
  await db.query(
    `UPDATE file_remains SET delete_at = now() + interval '5 minutes'
     WHERE org_id = $1 AND storage_key = $2`,
    [orgId, storageKey],
  );
}

/** For the metrics. */
export async function countDueRemains(db: Queryable): Promise<number> {
  const [row] = await db.query<{ keys: number }>(
    '/* all orgs */ SELECT count(*) AS keys FROM file_remains WHERE delete_at <= now()',
  );
  return row?.keys ?? 0;
}
