import type { Logger } from 'pino';

const EVERY_MS = 10 * 60_000;

/** What is done now and then, by name; each answers with how much it found to do. */
export type Chores = Readonly<Record<string, () => Promise<number>>>;

/** Runs the chores at the start, then every ten minutes. Any number of processes may do it. */
export function startMaintenance(chores: Chores, log: Logger): { stop(): Promise<void> } {
  const run = async () => {
    for (const [chore, work] of Object.entries(chores)) {
      try {
        const done = await work();
        if (done > 0) log.info({ chore, done }, 'maintenance');
      } catch (error) {
        log.warn({ err: error, chore }, 'maintenance failed; it is tried again in ten minutes');
      }
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
