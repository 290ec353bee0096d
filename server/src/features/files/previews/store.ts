import type { OrgDb } from '../../../db/types.ts';

/** Notes when a preview is to be deleted. False if its file is gone. */
export async function keepPreview({ db, orgId }: OrgDb, fileId: string, key: string) {
  const rows = await db.query(
    `INSERT INTO file_remains (org_id, storage_key, delete_at)
     SELECT f.org_id, $3, now() + interval '7 days' FROM files f WHERE f.org_id = $1 AND f.id = $2
     ON CONFLICT (org_id, storage_key) DO UPDATE SET delete_at = excluded.delete_at RETURNING 1 AS kept`,
    [orgId, fileId, key],
  );
  return rows.length === 1;
}

export async function forgetPreview({ db, orgId }: OrgDb, key: string): Promise<void> {
  await db.query('DELETE FROM file_remains WHERE org_id = $1 AND storage_key = $2', [orgId, key]);
}
