import type { OrgTransaction } from '../../../db/types.ts';

/** The next sweep deletes what nothing uses. */
export function expireUploadsAtCommit({ db, orgId }: OrgTransaction, userId: string): void {
  db.atCommit(
    `UPDATE files SET purge_at = now()
     WHERE org_id = $1 AND uploaded_by_id = $2 AND purge_at > now()
       AND NOT EXISTS (SELECT 1 FROM file_uses u WHERE u.org_id = $1 AND u.file_id = files.id)`,
    [orgId, userId],
  );
}
