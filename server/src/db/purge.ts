import type { Queryable } from './types.ts';

const BATCH = 5_000;

/**
 * Runs `deleteBatch`, a DELETE of at most $1 expired rows with RETURNING, until none are left. Each batch
 * is its own transaction, so no lock is held for long. Returns how many rows were deleted.
 */
export async function purgeInBatches(db: Queryable, deleteBatch: string): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await db.query(deleteBatch, [BATCH]);
    purged += rows.length;
    if (rows.length < BATCH) return purged;
  }
}
