import type { OrgTransaction, Queryable } from '../../../db/types.ts';

/** What a check found out about a file. */
export interface Checked {
  mediaType: string;
  size: number;
  sha256: string;
  storageKey: string;
  pages: number | null;
  image: { width: number; height: number } | null;
  hasText: boolean;
}

/** False if it was deleted, or checked by another process. `before` is the key of the bytes that were checked. */
export async function markReady(
  { db, orgId }: OrgTransaction,
  fileId: string,
  before: string,
  checked: Checked,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE files SET status = 'READY', reason = NULL, media_type = $4, size = $5, sha256 = $6,
       storage_key = $7, pages = $8, image_width = $9, image_height = $10, text_status = $11, updated_at = now()
     WHERE org_id = $1 AND id = $2 AND status = 'CHECKING' AND storage_key = $3 RETURNING 1 AS ready`,
    [
      orgId,
      fileId,
      before,
      checked.mediaType,
      checked.size,
      checked.sha256,
      checked.storageKey,
      checked.pages,
      checked.image?.width ?? null,
      checked.image?.height ?? null,
      checked.hasText ? 'PENDING' : 'NONE',
    ],
  );
  return rows.length === 1;
}

/** The file has no bytes from then on. Undefined if it is not being checked any more. */
export async function markUnusable(
  { db, orgId }: OrgTransaction,
  fileId: string,
  { status, reason }: { status: 'FAILED' | 'REFUSED'; reason: string },
): Promise<string | undefined> {
  const [file] = await db.query<{ storageKey: string }>(
    `SELECT storage_key AS "storageKey" FROM files
     WHERE org_id = $1 AND id = $2 AND status = 'CHECKING' FOR UPDATE`,
    [orgId, fileId],
  );
  if (!file) return undefined;
  await db.query(
    `UPDATE files SET status = $3, reason = $4, storage_key = NULL, updated_at = now()
     WHERE org_id = $1 AND id = $2`,
    [orgId, fileId, status, reason],
  );
  return file.storageKey;
}

/** Files that have been checked for long: their job may be lost. */
export async function listUnchecked(db: Queryable): Promise<{ orgId: string; fileId: string }[]> {
  return db.query(
    `/* all orgs */ SELECT org_id AS "orgId", id AS "fileId" FROM files
     WHERE status = 'CHECKING' AND updated_at < now() - interval '10 minutes' LIMIT 200`,
  );
}

/** For the metrics. */
export async function countChecking(db: Queryable): Promise<number> {
  const [row] = await db.query<{ files: number }>(
    `/* all orgs */ SELECT count(*) AS files FROM files WHERE status = 'CHECKING'`,
  );
  return row?.files ?? 0;
}
