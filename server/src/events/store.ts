import type { Queryable, Transaction } from '../db/types.ts';

export interface NewOwed {
  listener: string;
  recordId: string;
  event: object;
  actorUserId: string | null;
}

/** Adds to the commit of an event that a durable listener has yet to handle it. */
export function oweAtCommit(tx: Transaction, orgId: string, owed: NewOwed): void {
  tx.atCommit(
    `INSERT INTO owed_events (org_id, listener, record_id, event, actor_user_id)
     VALUES ($1, $2, $3, $4, $5)`,
    [orgId, owed.listener, owed.recordId, JSON.stringify(owed.event), owed.actorUserId],
    { lock: '' },
  );
}

export interface OwedRow extends Omit<NewOwed, 'listener'> {
  id: number;
  createdAt: Date;
  /** How often it was tried before. */
  attempts: number;
}

/**
 * Takes the first event of each of some records, for as long as the lease lasts. As no later one of the same
 * record can be taken meanwhile, any number of processes may do this at the same time.
 */
export function claimOwed(
  db: Queryable,
  orgId: string,
  listener: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<OwedRow[]> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<OwedRow>(
      `SELECT o.id, o.record_id AS "recordId", o.event, o.actor_user_id AS "actorUserId",
         o.created_at AS "createdAt", o.attempts
       FROM owed_events o
       WHERE o.org_id = $1 AND o.listener = $2 AND o.due_at <= now()
         AND NOT EXISTS (SELECT 1 FROM owed_events earlier WHERE earlier.org_id = $1
           AND earlier.listener = $2 AND earlier.record_id = o.record_id AND earlier.id < o.id)
       ORDER BY o.id LIMIT $3 FOR UPDATE OF o SKIP LOCKED`,
      [orgId, listener, limit],
    );
    if (rows.length > 0) {
      await postpone(tx, orgId, listener, rows, { byMs: leaseMs, tries: 1 });
    }
    return rows;
  });
}

/** Nobody takes them before this time has passed. `tries` is 1 if somebody tries them meanwhile. */
export async function postpone(
  db: Queryable,
  orgId: string,
  listener: string,
  rows: readonly OwedRow[],
  { byMs, tries }: { byMs: number; tries: 0 | 1 },
): Promise<void> {
  await db.query(
    `UPDATE owed_events SET due_at = now() + make_interval(secs => $5), attempts = attempts + $6
     WHERE org_id = $1 AND listener = $2 AND record_id = ANY ($3) AND id = ANY ($4)`,
    [orgId, listener, ...keysOf(rows), byMs / 1000, tries],
  );
}

export async function deleteOwed(
  db: Queryable,
  orgId: string,
  listener: string,
  rows: readonly OwedRow[],
): Promise<void> {
  await db.query(
    `DELETE FROM owed_events
     WHERE org_id = $1 AND listener = $2 AND record_id = ANY ($3) AND id = ANY ($4)`,
    [orgId, listener, ...keysOf(rows)],
  );
}

/** The primary key begins with the record. */
function keysOf(rows: readonly OwedRow[]): [recordIds: string[], ids: number[]] {
  return [rows.map(({ recordId }) => recordId), rows.map(({ id }) => id)];
}

/** Across orgs: those in which this listener has something to handle. */
export async function listOwing(db: Queryable, listener: string): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(
    `/* all orgs */ SELECT DISTINCT org_id AS "orgId" FROM owed_events
     WHERE listener = $1 AND due_at <= now() LIMIT 1000`,
    [listener],
  );
  return rows.map(({ orgId }) => orgId);
}
