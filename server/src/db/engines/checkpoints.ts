import type { Database } from '../types.ts';

const CHECK_EVERY_MS = 5_000;
/** A checkpoint after this much of the log takes about 40 ms. */
const LOG_BYTES = 32 * 1024 * 1024;

/**
 * The embedded engine makes a checkpoint only when it stops. Without others its log would grow for as long
 * as the server runs, and a start after a power cut would replay all of it.
 */
export function withCheckpoints(db: Database): Database {
  // If it fails, the log grows until the next attempt succeeds; a failing disk ends the process anyway.
  const check = () => void checkpointIfDue(db).catch(() => {});
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  return {
    ...db,
    async close() {
      clearInterval(timer);
      await db.close();
    },
  };
}

export async function checkpointIfDue(db: Database): Promise<void> {
  const [log] = await db.query<{ isDue: boolean }>(
    `SELECT pg_current_wal_lsn() - checkpoint_lsn > $1 AS "isDue" FROM pg_control_checkpoint()`,
    [LOG_BYTES],
  );
  if (log?.isDue) await db.query('CHECKPOINT');
}
