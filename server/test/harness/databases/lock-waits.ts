import { expect, vi } from 'vitest';
import type { Queryable } from '../../../src/db/types.ts';

/** Until this many transactions wait for a lock. Only PostgreSQL shows them: see `SHOWS_WAITS`. */
export function untilLocked(db: Queryable, count = 1): Promise<void> {
  return vi.waitFor(async () => {
    const waiting = await db.query(
      `SELECT 1 AS found FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(count);
  }, 30_000);
}
