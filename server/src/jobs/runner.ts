import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '../db/types.ts';
import { backoffMs, describeFailure } from './failure.ts';
import { MAX_ATTEMPTS, PermanentFailure, type DeathHandlers, type JobHandlers } from './handler.ts';
import {
  buryJob,
  completeJob,
  handBackJobs,
  renewLeases,
  retryJob,
  type ClaimedJob,
} from './store.ts';
import type { Timing } from './timing.ts';

export interface RunnerOptions {
  db: Queryable;
  handlers: JobHandlers;
  onDeath?: DeathHandlers;
  log: Logger;
  timing: Timing;
  random?: () => number;
  onEnd: () => void;
}

export interface Runner {
  size(): number;
  start(job: ClaimedJob, leaseEndsAt: number): void;
  /** Returns how many jobs did not finish in time and were released. */
  stop(): Promise<number>;
}

interface Running {
  job: ClaimedJob;
  /** On this process's monotonic clock. */
  leaseEndsAt: number;
  abort: AbortController;
  isSettling: boolean;
  ended: Promise<void>;
}

/** Runs claimed jobs, renews their leases meanwhile, and records their results. */
export function createRunner(options: RunnerOptions): Runner {
  const { db, handlers, onDeath = {}, log, timing, random = Math.random, onEnd } = options;
  const running = new Set<Running>();
  let isRenewing = false;

  async function run(entry: Running): Promise<void> {
    const { job, abort } = entry;
    const about = { jobId: job.id, kind: job.kind, attempt: job.attempt };
    let settle = () => completeJob(db, job);
    try {
      await callHandler(job, abort.signal);
    } catch (error) {
      settle = () => (abort.signal.aborted ? handBackJobs(db, [job]) : fail(job, error));
    }
    entry.isSettling = true;
    try {
      const wasOurs = await settle();
      if (!wasOurs) log.warn(about, 'job outlived its lease, will run again');
    } catch (error) {
      log.error({ ...about, err: error }, "could not record the job's result; it will run again");
    }
    running.delete(entry);
    onEnd();
  }

  async function callHandler(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { id, attempt, kind, payload } = job;
    if (attempt > MAX_ATTEMPTS) {
      throw new PermanentFailure('its worker stopped during the last attempt');
    }
    const handler = Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
    // Not permanent: during an upgrade, a newer process may have a handler for it.
    if (!handler) throw new Error(`this version has no handler for "${kind}"`);
    await handler(payload, { id, attempt, signal });
  }

  async function fail(job: ClaimedJob, error: unknown): Promise<boolean> {
    const about = { jobId: job.id, kind: job.kind, attempt: job.attempt, err: error };
    const lastError = describeFailure(error);
    if (error instanceof PermanentFailure || job.attempt >= MAX_ATTEMPTS) {
      log.error(about, 'job failed permanently, see `jobs dead`');
      if (Object.hasOwn(onDeath, job.kind)) await onDeath[job.kind]?.(job.payload, error);
      return buryJob(db, job, lastError);
    }
    const retryInMs = backoffMs(job.attempt, random);
    log.warn({ ...about, retryInMs }, 'job failed, will retry');
    return retryJob(db, job, retryInMs / 1000, lastError);
  }

  async function keepLeases(): Promise<void> {
    const held = [...running].filter((entry) => !entry.isSettling && !entry.abort.signal.aborted);
    if (isRenewing) dropLapsed(held);
    if (isRenewing || held.length === 0) return;
    isRenewing = true;
    const askedAt = performance.now();
    try {
      const jobs = held.map((entry) => entry.job);
      const kept = new Set(await renewLeases(db, jobs, timing.leaseMs / 1000));
      for (const entry of held) {
        if (kept.has(entry.job.id)) entry.leaseEndsAt = askedAt + timing.leaseMs;
        else if (!entry.isSettling) drop(entry);
      }
    } catch (error) {
      log.warn({ err: error }, 'could not renew the leases of running jobs, will retry');
      dropLapsed(held);
    }
    isRenewing = false;
  }

  /** If the database does not respond, the clock decides: another worker may have the jobs by now. */
  function dropLapsed(held: readonly Running[]): void {
    for (const entry of held) if (entry.leaseEndsAt < performance.now()) drop(entry);
  }

  function drop({ job, abort }: Running): void {
    log.warn({ jobId: job.id, kind: job.kind }, 'lease of a running job expired, stopping the job');
    abort.abort(new Error('the lease of this job expired'));
  }

  async function handBack(late: readonly Running[]): Promise<void> {
    for (const { abort } of late) abort.abort(new Error('this worker is stopping'));
    await atMost(timing.abortMs, allEnded());
    const unfinished = [...running].map((entry) => entry.job);
    await handBackJobs(db, unfinished).catch((error: unknown) => {
      log.warn({ err: error }, 'could not release jobs; they will run when their leases expire');
    });
  }

  const allEnded = () => Promise.all([...running].map((entry) => entry.ended));
  const heartbeat = setInterval(() => void keepLeases(), timing.renewEveryMs);

  return {
    size: () => running.size,
    start(job, leaseEndsAt) {
      const abort = new AbortController();
      const entry = { job, leaseEndsAt, abort, isSettling: false, ended: Promise.resolve() };
      running.add(entry);
      entry.ended = run(entry);
    },
    async stop() {
      await atMost(timing.graceMs, allEnded());
      clearInterval(heartbeat);
      const late = [...running];
      if (late.length > 0) await handBack(late);
      return late.length;
    },
  };
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
