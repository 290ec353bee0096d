import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { purgeExpired } from '../http/idempotency/store.ts';
import { purgeDeadJobs } from './store.ts';

const EVERY_MS = 10 * 60_000;

/** Clears away what has expired: once at the start, then every ten minutes. Any number of processes may do it. */
export function startMaintenance(db: Database, log: Logger): { stop(): Promise<void> } {
  const run = async () => {
    try {
      const idempotencyKeys = await purgeExpired(db);
      const deadJobs = await purgeDeadJobs(db);
      if (idempotencyKeys + deadJobs > 0) log.info({ idempotencyKeys, deadJobs }, 'purged');
    } catch (error) {
      log.warn({ err: error }, 'maintenance failed; it is tried again in ten minutes');
    }
  };
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
