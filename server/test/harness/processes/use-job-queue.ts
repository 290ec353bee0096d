import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createBus } from '../../../src/bus/create-bus.ts';
import type { Database } from '../../../src/db/types.ts';
import type { JobHandlers } from '../../../src/jobs/handler.ts';
import { createJobQueue } from '../../../src/jobs/queue.ts';
import type { NewJob } from '../../../src/jobs/store.ts';
import { createWakeUp, type WakeUp } from '../../../src/jobs/wake-up.ts';
import { startWorker, type Worker, type WorkerOptions } from '../../../src/jobs/worker.ts';
import { createLogger } from '../../../src/core/logger.ts';
import { createTestDatabase, type TestDatabase } from '../databases/database.ts';

/** So long that polling cannot make a test pass. */
const NEVER_MS = 60_000;

export interface UsedJobQueue {
  readonly db: Database;
  readonly wakeUp: WakeUp;
  /** Everything logged in this test. */
  readonly logText: string;
  /** In one transaction. */
  enqueue: (...jobs: NewJob[]) => Promise<void>;
  /** Starts a worker, which stops after the test. */
  start(handlers: JobHandlers, options?: Partial<WorkerOptions>): Worker;
}

/** A queue that is empty before each test, on its own database. */
export function useJobQueue(): UsedJobQueue {
  let database: TestDatabase;
  let wakeUp: WakeUp;
  let workers: Worker[] = [];
  let lines: string[] = [];
  const log = createLogger('debug', { write: (line: string) => void lines.push(line) });

  beforeAll(async () => {
    database = await createTestDatabase();
    wakeUp = createWakeUp(createBus({ postgres: database.directUrl ?? database.url }, log));
  });
  beforeEach(async () => {
    await database.db.query('DELETE FROM jobs');
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });
  afterAll(async () => {
    await wakeUp.close();
    await database.drop();
  });

  return {
    get db() {
      return database.db;
    },
    get wakeUp() {
      return wakeUp;
    },
    get logText() {
      return lines.join('');
    },
    enqueue(...jobs) {
      const queue = createJobQueue(wakeUp);
      return database.db.transaction(async (tx) => {
        for (const job of jobs) queue.enqueue(tx, job);
      });
    },
    start(handlers, { timing, ...options } = {}) {
      const worker = startWorker({
        db: database.db,
        wakeUp,
        handlers,
        log,
        random: () => 0,
        timing: { pollEveryMs: NEVER_MS, graceMs: 2_000, abortMs: 100, ...timing },
        ...options,
      });
      workers.push(worker);
      return worker;
    },
  };
}
