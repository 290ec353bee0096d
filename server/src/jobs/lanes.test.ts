import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { useJobQueue } from '../../test/harness/processes/use-job-queue.ts';
import { PermanentFailure, type JobHandlers } from './handler.ts';
import { laneInShare } from './queue.ts';
import { claimJobs, findNextDue, type NewJob } from './store.ts';
import type { WorkerOptions } from './worker.ts';

const jobQueue = useJobQueue();
const { enqueue } = jobQueue;
const start = (handlers: JobHandlers, options: Partial<WorkerOptions> = {}) =>
  jobQueue.start(handlers, { concurrency: 32, ...options });

const inLane = (lane: string, count: number): NewJob[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'ask', payload: { lane, at }, lane }));

async function countJobs(where = 'true'): Promise<number> {
  const [row] = await jobQueue.db.query<{ count: number }>(
    `SELECT count(*) FROM jobs WHERE ${where}`,
  );
  return row?.count ?? 0;
}
const allDone = () => vi.waitFor(async () => expect(await countJobs()).toBe(0), 30_000);

/** Runs jobs that take a while, and records their order and how many of a lane ran at once. */
function watch(ms: number) {
  const ended: string[] = [];
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const handlers: JobHandlers = {
    async ask(payload) {
      const { lane } = payload as { lane: string };
      running.set(lane, (running.get(lane) ?? 0) + 1);
      most.set(lane, Math.max(most.get(lane) ?? 0, running.get(lane) ?? 0));
      await sleep(ms);
      running.set(lane, (running.get(lane) ?? 0) - 1);
      ended.push(lane);
    },
  };
  return { handlers, ended, most };
}

describe('a lane', () => {
  it('runs four at a time, in order, and lets the lanes behind it pass', async () => {
    const { handlers, ended, most } = watch(60);
    await enqueue(...inLane('a', 60));
    await enqueue(...inLane('b', 1), ...inLane('c', 6));
    start(handlers);
    await allDone();
    expect([...most]).toEqual([
      ['a', 4],
      ['b', 1],
      ['c', 4],
    ]);
    expect(ended.indexOf('b')).toBeLessThan(12);
    expect(ended.lastIndexOf('c')).toBeLessThan(30);
    expect(ended).toHaveLength(67);
  });

  it('however long, does not keep others from being claimed, the least busy ones first', async () => {
    await enqueue(...inLane('a', 60));
    await enqueue(...inLane('b', 1), ...inLane('c', 6), { kind: 'ask', payload: { lane: '-' } });
    const claim = async (limit: number) => {
      const jobs = await claimJobs(jobQueue.db, limit, `token ${limit}`, 60);
      return jobs.map(({ payload }) => (payload as { lane: string }).lane).join('');
    };
    expect(await claim(3)).toBe('abc');
    expect(await claim(32)).toBe('aaaccc-');
    expect(await claim(32)).toBe('');
  });

  it('that is full does not delay a job in another lane, which starts without a poll', async () => {
    const { handlers, ended } = watch(400);
    start(handlers);
    await enqueue(...inLane('a', 40));
    await vi.waitFor(
      async () => expect(await countJobs('lease_token IS NOT NULL')).toBe(4),
      30_000,
    );
    await enqueue(...inLane('b', 1));
    await vi.waitFor(() => expect(ended).toContain('b'), 30_000);
    await jobQueue.db.query(`DELETE FROM jobs WHERE lease_token IS NULL`);
  });

  it('does not count or delay jobs without a lane', async () => {
    const { handlers, ended } = watch(200);
    await enqueue(...inLane('a', 20));
    await enqueue({ kind: 'ask', payload: { lane: 'none' } });
    start(handlers);
    await vi.waitFor(() => expect(ended).toContain('none'), 30_000);
    expect(ended.indexOf('none')).toBeLessThanOrEqual(12);
    await jobQueue.db.query(`DELETE FROM jobs WHERE lease_token IS NULL`);
  });

  it('frees the places of a killed worker when its leases expire', async () => {
    await enqueue(...inLane('a', 6));
    expect(await claimJobs(jobQueue.db, 32, 'killed', 2)).toHaveLength(4);
    expect(await claimJobs(jobQueue.db, 32, 'other', 2)).toEqual([]);
    const { handlers, ended } = watch(1);
    start(handlers, { timing: { pollEveryMs: 100 } });
    await allDone();
    expect(ended).toHaveLength(6);
  });

  it('that is full does not determine the next poll', async () => {
    await enqueue(...inLane('a', 6));
    expect(await findNextDue(jobQueue.db)).toBeLessThanOrEqual(0);
    await claimJobs(jobQueue.db, 32, 'token', 60);
    expect(await findNextDue(jobQueue.db)).toBeUndefined();
  });
});

describe('a share', () => {
  const inShare = (share: string, lane: string, count: number): NewJob[] =>
    inLane(lane, count).map((job) => ({ ...job, lane: laneInShare(share, lane) }));
  const claim = async (limit: number) => {
    const jobs = await claimJobs(jobQueue.db, limit, `token ${limit}`, 60);
    return jobs.map(({ payload }) => (payload as { lane: string }).lane).join('');
  };

  it('with ten lanes runs eight jobs at a time, and leaves the rest to others', async () => {
    const lanes = 'abcdefghij'.split('');
    await enqueue(...lanes.flatMap((lane) => inShare('one', lane, 9)));
    await enqueue(...inShare('two', 'x', 9), ...inLane('y', 9));
    expect(await claim(32)).toBe('abcdefghxxxxyyyy');
    expect(await claim(32)).toBe('');
    // The next poll is not timed by jobs in a full share or lane.
    expect(await findNextDue(jobQueue.db)).toBeUndefined();
  });

  it('that waits comes before one that runs, whatever the order of enqueueing', async () => {
    await enqueue(...'abcd'.split('').flatMap((lane) => inShare('one', lane, 9)));
    expect(await claim(6)).toBe('aabbcd');
    await enqueue(...inShare('two', 'x', 2), ...inShare('two', 'y', 2));
    expect(await claim(3)).toBe('xxy');
    expect(await claim(4)).toBe('cdy');
  });
});

describe('kinds', () => {
  it('two workers share the queue by kind, and each takes only its own', async () => {
    const ran: string[] = [];
    const note = (by: string): JobHandlers => ({
      ask: async () => void ran.push(`${by} ask`),
      mail: async () => void ran.push(`${by} mail`),
    });
    start(note('one'), { kinds: { only: ['ask'] } });
    start(note('two'), { kinds: { except: ['ask'] } });
    await enqueue({ kind: 'ask', payload: {} }, { kind: 'mail', payload: {} });
    await allDone();
    expect(ran.toSorted()).toEqual(['one ask', 'two mail']);
  });
});

describe('unlessQueued', () => {
  const job: NewJob = { kind: 'ask', payload: { id: 1, retry: true }, unlessQueued: true };

  it('adds nothing if the same job waits; another payload or a running job does not count', async () => {
    await enqueue(job);
    await enqueue({ ...job, payload: { retry: true, id: 1 } });
    expect(await countJobs()).toBe(1);
    await enqueue({ ...job, payload: { id: 2, retry: true } });
    expect(await countJobs()).toBe(2);
    await claimJobs(jobQueue.db, 32, 'token', 60);
    await enqueue(job);
    expect(await countJobs()).toBe(3);
  });

  it('a dead one does not count', async () => {
    await enqueue(job);
    await jobQueue.db.query('UPDATE jobs SET dead_at = now()');
    await enqueue(job);
    expect(await countJobs('dead_at IS NULL')).toBe(1);
  });
});

describe('onDeath', () => {
  it('runs once before the job is marked as dead, with its payload and error', async () => {
    const told = vi.fn<(payload: unknown, error: unknown) => Promise<void>>(async () => {});
    const handlers: JobHandlers = {
      async ask() {
        throw new PermanentFailure('no use');
      },
    };
    start(handlers, { onDeath: { ask: told } });
    await enqueue({ kind: 'ask', payload: { id: 7 } });
    await vi.waitFor(async () => expect(await countJobs('dead_at IS NOT NULL')).toBe(1), 30_000);
    expect(told.mock.calls).toEqual([[{ id: 7 }, new PermanentFailure('no use')]]);
  });

  it('does not run for a failure that will be retried', async () => {
    const told = vi.fn<() => Promise<void>>(async () => {});
    const handlers: JobHandlers = {
      async ask(_payload, { attempt }) {
        if (attempt === 1) throw new Error('not yet');
      },
    };
    start(handlers, { onDeath: { ask: told } });
    await enqueue({ kind: 'ask', payload: {} });
    await allDone();
    expect(told).not.toHaveBeenCalled();
  });

  it('that fails runs again: the job stays until it succeeds', async () => {
    let calls = 0;
    const told = async () => {
      calls++;
      if (calls === 1) throw new Error('the database is away');
    };
    const handlers: JobHandlers = {
      async ask() {
        throw new PermanentFailure('no use');
      },
    };
    start(handlers, { onDeath: { ask: told }, timing: { pollEveryMs: 100, leaseMs: 2_000 } });
    await enqueue({ kind: 'ask', payload: {} });
    await vi.waitFor(async () => expect(await countJobs('dead_at IS NOT NULL')).toBe(1), 30_000);
    expect(calls).toBe(2);
    expect(jobQueue.logText).toContain('it will run again');
  });
});
