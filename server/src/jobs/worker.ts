import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { finishCommits, isDistributed } from '../db/citus/citus.ts';
import type { Queryable } from '../db/types.ts';
import { createAlarm } from './alarm.ts';
import type { DeathHandlers, JobHandlers } from './handler.ts';
import { createRunner } from './runner.ts';
import { claimJobs, findNextDue, handBackJobs, type Kinds, type Lease } from './store.ts';
import { TIMING, type Timing } from './timing.ts';
import type { WakeUp } from './wake-up.ts';

export interface WorkerOptions {
  db: Queryable;
  wakeUp: WakeUp;
  handlers: JobHandlers;
  /** What to do when a job dies, by kind. */
  onDeath?: DeathHandlers;
  log: Logger;
  /** How many jobs this worker runs at once; default: 8. */
  concurrency?: number;
  /** Default: all kinds. */
  kinds?: Kinds;
  /** Shorter times, for tests. */
  timing?: Partial<Timing>;
  random?: () => number;
}

export interface Worker {
  /** Claims no more jobs, waits a while for running ones, then releases the rest for other workers. */
  stop(): Promise<void>;
}

/** Another worker may be about to claim what is due; polling without a pause would be a busy loop. */
const SHORTEST_PAUSE_MS = 20;

export function startWorker(options: WorkerOptions): Worker {
  const { db, wakeUp, log, concurrency = 8, kinds = {} } = options;
  const timing = { ...TIMING, ...options.timing };
  const alarm = createAlarm();
  const runner = createRunner({ ...options, timing, onEnd: () => alarm.ring() });
  const stopping = new AbortController();

  async function claimUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await claimFreeSlots().catch((error: unknown) => {
        log.warn({ err: error }, 'could not claim jobs, will retry');
        return timing.pollEveryMs;
      });
      await alarm.sleep(pause);
    }
  }

  /** Returns how long to sleep, unless a commit or a finished job wakes the worker. */
  async function claimFreeSlots(): Promise<number> {
    const free = concurrency - runner.size();
    if (free === 0) return timing.pollEveryMs;
    const askedAt = performance.now();
    const jobs = await claimJobs(db, free, randomUUID(), timing.leaseMs / 1000, kinds);
    if (jobs.length > 0) await seeWhatCameWith(jobs);
    if (stopping.signal.aborted) {
      await handBackJobs(db, jobs);
      return 0;
    }
    for (const job of jobs) runner.start(job, askedAt + timing.leaseMs);
    if (jobs.length === free) return timing.pollEveryMs;
    const nextDue = (await findNextDue(db, kinds)) ?? Number.POSITIVE_INFINITY;
    return Math.min(timing.pollEveryMs, Math.max(SHORTEST_PAUSE_MS, nextDue));
  }

  let distributed: Promise<boolean> | undefined;
  /** On Citus, a job can be seen a moment before the rows of other nodes that were committed with it. */
  async function seeWhatCameWith(jobs: readonly Lease[]): Promise<void> {
    try {
      distributed ??= isDistributed(db);
      if (await distributed) await finishCommits(db);
    } catch (error) {
      distributed = undefined;
      await handBackJobs(db, jobs);
      throw error;
    }
  }

  const stopListening = wakeUp.onWake(() => alarm.ring());
  const claiming = claimUntilStopped();
  return {
    async stop() {
      stopping.abort();
      stopListening();
      alarm.ring();
      await claiming;
      const handedBack = await runner.stop();
      if (handedBack > 0) wakeUp.wake();
    },
  };
}
