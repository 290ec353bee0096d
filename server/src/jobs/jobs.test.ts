import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { useJobQueue } from '../../test/harness/processes/use-job-queue.ts';
import { PermanentFailure, type JobHandler, type JobHandlers, type JobRun } from './handler.ts';
import { createJobQueue } from './queue.ts';
import { claimJobs, listDeadJobs, reviveJobs } from './store.ts';
import type { Timing } from './timing.ts';

const jobQueue = useJobQueue();
const { enqueue } = jobQueue;
const start = (handlers: JobHandlers, timing: Partial<Timing> = {}, concurrency = 8) =>
  jobQueue.start(handlers, { timing, concurrency });

/** Longer than any test. */
const NEVER_MS = 60_000;

interface StoredJob {
  id: number;
  attempts: number;
  isLeased: boolean;
  lastError: string | null;
  isDead: boolean;
  inMs: number;
}

const storedJobs = () =>
  jobQueue.db.query<StoredJob>(
    `SELECT id, attempts, lease_token IS NOT NULL AS "isLeased", last_error AS "lastError",
       dead_at IS NOT NULL AS "isDead", (extract(epoch FROM run_at - now()) * 1000)::float8 AS "inMs"
     FROM jobs ORDER BY id`,
  );
const allDone = () => vi.waitFor(async () => expect(await storedJobs()).toEqual([]), 30_000);
const failed = () =>
  vi.waitFor(async () => {
    const jobs = await storedJobs();
    expect(jobs).toMatchObject([{ isLeased: false, lastError: expect.any(String) }]);
    return jobs[0] as StoredJob;
  }, 30_000);
const makeDue = () =>
  jobQueue.db.query('UPDATE jobs SET run_at = now()').then(() => jobQueue.wakeUp.wake());

describe('enqueue', () => {
  it('does nothing when the transaction is rolled back', async () => {
    const started = vi.fn<JobHandler>(async () => {});
    start({ greet: started });
    const wake = vi.fn<() => void>();
    const failing = jobQueue.db.transaction(async (tx) => {
      createJobQueue({ wake }).enqueue(tx, { kind: 'greet', payload: {} });
      await tx.query('SELECT 1');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(wake).not.toHaveBeenCalled();
    expect(await storedJobs()).toEqual([]);
    expect(started).not.toHaveBeenCalled();
  });

  it('starts the job on commit, without waiting for a poll, and removes it when it is done', async () => {
    const runs: [unknown, JobRun][] = [];
    start({ greet: async (payload, run) => void runs.push([payload, run]) });
    await enqueue({ kind: 'greet', payload: { to: ['Ann', 'Zoë'] } });
    await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 30_000, interval: 5 });
    const run = { id: expect.any(Number), attempt: 1, signal: expect.any(AbortSignal) };
    expect(runs).toEqual([[{ to: ['Ann', 'Zoë'] }, run]]);
    await allDone();
  });

  it('starts jobs in order of commit', async () => {
    const order: unknown[] = [];
    await enqueue(...[1, 2, 3].map((payload) => ({ kind: 'note', payload: { payload } })));
    await enqueue({ kind: 'note', payload: { payload: 4 } });
    start({ note: async (payload) => void order.push(payload) }, {}, 1);
    await allDone();
    expect(order).toEqual([1, 2, 3, 4].map((payload) => ({ payload })));
  });

  it('starts a later job at its time', async () => {
    let startedAt = 0;
    start({ later: async () => void (startedAt = Date.now()) });
    const enqueuedAt = Date.now();
    await enqueue({ kind: 'later', payload: {}, delayMs: 400 });
    await allDone();
    expect(startedAt - enqueuedAt).toBeGreaterThanOrEqual(399);
  });
});

describe('a handler that fails', () => {
  it('is tried again after a pause, on time', async () => {
    const runs: { attempt: number; at: number; stored: StoredJob[] }[] = [];
    start({
      async flaky(_payload, { attempt }) {
        runs.push({ attempt, at: performance.now(), stored: await storedJobs() });
        if (attempt === 1) throw new Error('not today');
      },
    });
    await enqueue({ kind: 'flaky', payload: {} });
    await allDone();
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const [first, second] = runs;
    expect(second?.stored).toMatchObject([{ lastError: 'Error: not today', isDead: false }]);
    const pause = (second?.at ?? 0) - (first?.at ?? 0);
    expect(pause).toBeGreaterThan(450);
  });

  it('is dead after ten attempts, until an operator revives it', async () => {
    let works = false;
    const attempts: number[] = [];
    start({
      async stubborn(_payload, { attempt }) {
        attempts.push(attempt);
        if (!works) throw new Error('never');
      },
    });
    await enqueue({ kind: 'stubborn', payload: {} });
    for (let attempt = 1; attempt < 10; attempt++) {
      await vi.waitFor(async () => {
        // Its next attempt may have started before we looked.
        expect((await failed()).attempts).toBeGreaterThanOrEqual(attempt);
      }, 30_000);
      await makeDue();
    }
    await vi.waitFor(async () => expect((await failed()).isDead).toBe(true), 30_000);
    const [dead] = await listDeadJobs(jobQueue.db, 0, 10);
    expect(dead).toEqual({
      id: expect.any(Number),
      kind: 'stubborn',
      attempts: 10,
      lastError: 'Error: never',
      diedAt: expect.any(Date),
    });
    works = true;
    expect(await reviveJobs(jobQueue.db, (dead?.id ?? 0) + 1)).toBe(0);
    expect(await reviveJobs(jobQueue.db, dead?.id ?? 0)).toBe(1);
    jobQueue.wakeUp.wake();
    await allDone();
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
  });

  it('with a PermanentFailure is dead at once, and nobody claims it', async () => {
    start({
      async hopeless() {
        throw new PermanentFailure('no such address');
      },
    });
    await enqueue({ kind: 'hopeless', payload: {} });
    const job = await failed();
    expect(job).toMatchObject({ isDead: true, attempts: 1 });
    expect(await claimJobs(jobQueue.db, 1, 'token', 1)).toEqual([]);
    expect(await reviveJobs(jobQueue.db, 'all')).toBe(1);
  });

  it('because its kind is unknown is tried again', async () => {
    start({});
    await enqueue({ kind: 'constructor', payload: {} });
    const job = await failed();
    expect(job).toMatchObject({ isDead: false, attempts: 1 });
    expect(job.lastError).toContain('no handler for "constructor"');
    expect(jobQueue.logText).toContain('job failed, will retry');
  });

  it('by crashing its worker is dead after ten attempts, too', async () => {
    const started = vi.fn<JobHandler>(async () => {});
    await enqueue({ kind: 'crash', payload: {} });
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await claimJobs(jobQueue.db, 1, 'killed', -1)).toMatchObject([{ attempt }]);
    }
    start({ crash: started });
    expect(await failed()).toMatchObject({ isDead: true });
    expect(started).not.toHaveBeenCalled();
  });
});

describe('a lease', () => {
  it('is renewed while the job runs, however long', async () => {
    const ended = Promise.withResolvers<void>();
    const started = vi.fn<JobHandler>(() => ended.promise);
    // A lease that outlasts every pause of a busy machine: what counts is that it moves on.
    const timing = { leaseMs: NEVER_MS, renewEveryMs: 20, pollEveryMs: 20 };
    start({ long: started }, timing);
    start({ long: started }, timing);
    await enqueue({ kind: 'long', payload: {} });
    const leases = new Set<string>();
    await expect
      .poll(async () => {
        const [job] = await jobQueue.db.query<{ end: string | null }>(
          'SELECT lease_expires_at::text AS "end" FROM jobs',
        );
        if (job?.end) leases.add(job.end);
        return leases.size;
      })
      .toBeGreaterThan(5);
    ended.resolve();
    await allDone();
    expect(started).toHaveBeenCalledTimes(1);
  });

  it('that expired is taken over: the first run is told to stop, and its result is ignored', async () => {
    const ended = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const worker = start(
      {
        async slow(_payload, { signal }) {
          signals.push(signal);
          await ended.promise;
        },
      },
      { renewEveryMs: 50 },
    );
    await enqueue({ kind: 'slow', payload: {} });
    await vi.waitFor(() => expect(signals).toHaveLength(1), 30_000);
    // What another worker does after 15 seconds without a heartbeat.
    await jobQueue.db.query("UPDATE jobs SET lease_token = 'another worker', attempts = 2");
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 30_000);
    ended.resolve();
    await worker.stop();
    expect(await storedJobs()).toMatchObject([{ attempts: 2, isLeased: true }]);
  });

  it('of a killed worker expires, and the next poll starts the job', async () => {
    await enqueue({ kind: 'orphan', payload: {} });
    expect(await claimJobs(jobQueue.db, 1, 'killed', 0.3)).toHaveLength(1);
    const attempts: number[] = [];
    const orphan = async (_payload: unknown, run: JobRun) => void attempts.push(run.attempt);
    start({ orphan }, { pollEveryMs: 100 });
    await allDone();
    expect(attempts).toEqual([2]);
  });
});

describe('stop', () => {
  it('waits for running jobs, and claims no more', async () => {
    const running = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let ended = 0;
    const worker = start(
      {
        async quick() {
          running.resolve();
          await release.promise;
          ended++;
        },
      },
      { graceMs: NEVER_MS },
      1,
    );
    await enqueue({ kind: 'quick', payload: {} }, { kind: 'quick', payload: {} });
    await running.promise;
    const stopped = worker.stop().then(() => ended);
    await storedJobs();
    release.resolve();
    expect(await stopped).toBe(1);
    expect(await storedJobs()).toMatchObject([{ attempts: 0, isLeased: false }]);
  });

  it.each([
    ['obeys its signal', true],
    ['is deaf to its signal', false],
  ])('releases a job that %s, and another worker starts it at once', async (_case, obeys) => {
    const runs: { by: string; attempt: number }[] = [];
    const end = new AbortController();
    const handlers = (by: string): JobHandlers => ({
      async endless(_payload, { attempt, signal }) {
        runs.push({ by, attempt });
        const until = obeys ? AbortSignal.any([signal, end.signal]) : end.signal;
        await sleep(NEVER_MS, undefined, { signal: until });
      },
    });
    const first = start(handlers('first'), { graceMs: 100 });
    await enqueue({ kind: 'endless', payload: {} });
    await vi.waitFor(() => expect(runs).toHaveLength(1), 30_000);
    start(handlers('second'), { graceMs: 0 });
    await sleep(100);
    await first.stop();
    await vi.waitFor(() => expect(runs).toHaveLength(2), 30_000);
    expect(runs).toEqual([
      { by: 'first', attempt: 1 },
      { by: 'second', attempt: 1 },
    ]);
    end.abort();
  });
});

describe('two workers', () => {
  it('run each of 300 jobs once, and no job twice at a time', async () => {
    const runs = new Map<number, number>();
    const running = new Set<number>();
    let overlaps = 0;
    const handlers: JobHandlers = {
      async count(_payload, { id }) {
        if (running.has(id)) overlaps++;
        running.add(id);
        runs.set(id, (runs.get(id) ?? 0) + 1);
        await sleep(Math.random() * 10);
        running.delete(id);
      },
    };
    start(handlers);
    start(handlers);
    for (let batch = 0; batch < 30; batch++) {
      await enqueue(...Array.from({ length: 10 }, () => ({ kind: 'count', payload: {} })));
    }
    await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), 30_000);
    expect(runs.size).toBe(300);
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
    expect(overlaps).toBe(0);
  });
});
