import type { Queryable, Transaction } from '../../db/types.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../record-page.ts';

export interface AuditRow {
  id: string;
  action: string;
  resourceType: string;
  resourceId: string;
  actorKind: string;
  actorUserId: string | null;
  keyId: string | null;
  requestId: string;
  details: Record<string, unknown>;
  createdAt: Date;
}

const ENTRY_COLUMNS = `e.id, e.action, e.resource_type AS "resourceType",
  e.resource_id AS "resourceId", e.actor_kind AS "actorKind", e.actor_user_id AS "actorUserId",
  e.key_id AS "keyId", e.request_id AS "requestId", e.details, e.created_at AS "createdAt"`;

/** Sent with COMMIT, so a change and its entry are stored together or not at all. */
export function insertAtCommit(
  tx: Transaction,
  orgId: string,
  entry: Omit<AuditRow, 'createdAt'>,
): void {
  tx.atCommit(
    `INSERT INTO audit_entries (org_id, id, action, resource_type, resource_id, actor_kind,
       actor_user_id, key_id, request_id, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      orgId,
      entry.id,
      entry.action,
      entry.resourceType,
      entry.resourceId,
      entry.actorKind,
      entry.actorUserId,
      entry.keyId,
      entry.requestId,
      JSON.stringify(entry.details),
    ],
  );
}

export async function listEntries(
  db: Queryable,
  orgId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ items: AuditRow[]; total: number }> {
  const rows = await db.query<AuditRow & { total: number }>(
    `SELECT counted.total, ${ENTRY_COLUMNS}
     FROM (SELECT count(*) AS total FROM audit_entries WHERE org_id = $1) counted
     LEFT JOIN (SELECT * FROM audit_entries WHERE org_id = $1
                ORDER BY position DESC LIMIT $2 OFFSET $3) e ON true
     ORDER BY e.position DESC`,
    [orgId, limit, (page - 1) * limit],
  );
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.id !== null) };
}

/** Every entry, oldest first. */
export function scanEntries(
  db: Queryable,
  orgId: string,
  { after }: Pick<RecordQuery, 'after'>,
): Promise<ScannedRow<AuditRow>[]> {
  return db.query(
    `SELECT e.position::text AS at, ${ENTRY_COLUMNS} FROM audit_entries e
     WHERE e.org_id = $1 AND e.position > $2::bigint ORDER BY e.position LIMIT $3`,
    [orgId, after || '0', RECORDS_PER_PAGE],
  );
}
