import type { Logger } from 'pino';

export const MINUTE_MS = 60_000;

/** Periodic tasks by name; each returns how much it did. */
export type Chores = Readonly<Record<string, () => Promise<number>>>;

/** Runs the chores at the start and then at these intervals. Any number of processes may do so. */
export function startMaintenance(
  chores: Chores,
  log: Logger,
  everyMs = 10 * MINUTE_MS,
): { stop(): Promise<void> } {
  const run = async () => {
    for (const [chore, work] of Object.entries(chores)) {
      try {
        const done = await work();
        if (done > 0) log.info({ chore, done }, 'maintenance done');
      } catch (error) {
        log.warn({ err: error, chore }, 'maintenance failed, will retry');
      }
    }
  };
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
