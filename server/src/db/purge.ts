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

const FIRST_STEP_SECONDS = 60;

/**
 * The same for a table that is spread over nodes by org, where a DELETE can't have a LIMIT: it deletes the
 * oldest first, as many minutes at a time as have about that many rows.
 */
export async function purgeByTime(
  db: Queryable,
  { table, time, keep }: { table: string; time: string; keep: string },
): Promise<number> {
  const expired = `${time} <= now() - interval '${keep}'`;
  let purged = 0;
  for (let seconds = FIRST_STEP_SECONDS; ;) {
    const [first] = await db.query<{ oldest: Date | null }>(
      `/* all orgs */ SELECT min(${time}) AS oldest FROM ${table} WHERE ${expired}`,
    );
    if (!first?.oldest) return purged;
    const rows = await db.query(
      `/* all orgs */ DELETE FROM ${table}
       WHERE ${expired} AND ${time} <= $1::timestamptz + make_interval(secs => $2) RETURNING 1 AS purged`,
      [first.oldest, seconds],
    );
    purged += rows.length;
    seconds = rows.length < BATCH / 4 ? seconds * 4 : Math.max(1, seconds / 2);
  }
}
