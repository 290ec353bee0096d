import type { Queryable } from '../../db/types.ts';

/** An export that is running: the organisation's own, or a person's. */
export interface Lease {
  orgId: string;
  /** `ORG`, or the person's id. */
  subject: string;
  token: string;
}

/** Longer than a reader may pause and a page may take together, so only a process that ended lets it expire. */
const LIFE = "interval '3 minutes'";

/** False if the same export is running. */
export async function takeLease(db: Queryable, { orgId, subject, token }: Lease): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO running_exports AS e (org_id, subject, lease_token, started_at, expires_at)
     VALUES ($1, $2, $3, now(), now() + ${LIFE})
     ON CONFLICT (org_id, subject) DO UPDATE SET lease_token = excluded.lease_token,
       started_at = excluded.started_at, expires_at = excluded.expires_at
     WHERE e.expires_at <= excluded.started_at
     RETURNING 1 AS taken`,
    [orgId, subject, token],
  );
  return rows.length === 1;
}

/** False if it has expired and another process has taken it. */
export async function renewLease(db: Queryable, lease: Lease): Promise<boolean> {
  const rows = await db.query(
    `UPDATE running_exports SET expires_at = now() + ${LIFE}
     WHERE org_id = $1 AND subject = $2 AND lease_token = $3 RETURNING 1 AS renewed`,
    [lease.orgId, lease.subject, lease.token],
  );
  return rows.length === 1;
}

export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await db.query(
    'DELETE FROM running_exports WHERE org_id = $1 AND subject = $2 AND lease_token = $3',
    [lease.orgId, lease.subject, lease.token],
  );
}
