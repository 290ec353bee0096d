import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from './lock-waits.ts';
import type { Database } from '../types.ts';

/** Any constant works, as long as no other lock has it. */
const LOCK_KEY = 7_264_821_004;
const LOOK_AGAIN_MS = 200;
const STATEMENT = /CREATE (?:UNIQUE )?INDEX IF NOT EXISTS (\w+) ON (\w+)\s[^;]*/g;

/**
 * Makes the indexes of a migration while others write, which PostgreSQL can't do in a transaction. The
 * migration itself then finds them. A new database has no such table yet, and gets them from there.
 */
export async function makeIndexesOnline(
  db: Database,
  sql: string,
  report?: Patience['report'],
): Promise<void> {
  for (const [statement, index = '', table = ''] of sql.matchAll(STATEMENT)) {
    while ((await stateOf(db, index, table)) === 'wanted') {
      const isMade = await makeIfFirst(db, statement, index, table, report);
      if (!isMade) await sleep(LOOK_AGAIN_MS);
    }
  }
}

/**
 * Making an index waits for every transaction that has a snapshot. So the others don't wait in one: they
 * look again. The transaction here is idle while the index is made, and has none.
 */
function makeIfFirst(
  db: Database,
  statement: string,
  index: string,
  table: string,
  report: Patience['report'],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS taken`,
    );
    if (!lock?.taken) return false;
    if ((await stateOf(tx, index, table)) !== 'wanted') return true;
    // The snapshot of a prepared statement is kept until the next one; that of a script is not.
    await tx.script('SELECT');
    report?.({ index }, 'making an index; this waits for open transactions to end');
    // A build that was interrupted leaves an index that is kept up to date but never used.
    await db.runAlone?.(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await db.runAlone?.(statement.replace('INDEX IF NOT EXISTS', 'INDEX CONCURRENTLY'));
    return true;
  });
}

async function stateOf(
  db: Pick<Database, 'query'>,
  index: string,
  table: string,
): Promise<'made' | 'wanted' | 'no table'> {
  const [row] = await db.query<{ state: 'made' | 'wanted' | 'no table' }>(
    `SELECT CASE WHEN to_regclass($2) IS NULL THEN 'no table'
       WHEN EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid) THEN 'made'
       ELSE 'wanted' END AS state`,
    [index, table],
  );
  return row?.state ?? 'no table';
}
