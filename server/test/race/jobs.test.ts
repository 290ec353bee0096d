import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobQueue } from '../../src/jobs/queue.ts';
import { createBus } from '../../src/bus/create-bus.ts';
import { createWakeUp, type WakeUp } from '../../src/jobs/wake-up.ts';
import { createLogger } from '../../src/core/logger.ts';
import { createShared, type Shared } from './cluster.ts';
import type { Mark } from './job-worker.ts';
import { killAll, spawnNode, type Spawned } from './processes.ts';

/** So long that polling cannot make a test pass. */
const NEVER_MS = '600000';

let shared: Shared;
let wakeUp: WakeUp;

beforeAll(async () => {
  shared = await createShared();
  wakeUp = createWakeUp(createBus({ postgres: shared.url }, createLogger('silent')));
  await shared.db.query('CREATE TABLE marks (mark integer PRIMARY KEY)');
});
beforeEach(async () => {
  await shared.db.query('DELETE FROM jobs');
  await shared.db.query('DELETE FROM marks');
});
afterEach(killAll);
afterAll(async () => {
  await wakeUp.close();
  await shared.drop();
});

async function spawnWorker(env: Record<string, string> = {}): Promise<Spawned> {
  const worker = spawnNode('./job-worker.ts', [], { DATABASE_URL: shared.url, ...env });
  await worker.waitForLine(/^working$/);
  return worker;
}

function enqueue(...marks: Mark[]): Promise<void> {
  const queue = createJobQueue(wakeUp);
  return shared.db.transaction(async (tx) => {
    for (const payload of marks) queue.enqueue(tx, { kind: 'mark', payload });
  });
}

async function countRows(table: 'jobs' | 'marks'): Promise<number> {
  const [row] = await shared.db.query<{ count: number }>(`SELECT count(*) FROM ${table}`);
  return row?.count ?? 0;
}

const startsOf = (worker: Spawned) => worker.lines.filter((line) => line.startsWith('started'));

describe('worker processes', () => {
  it(
    'run all of 500 jobs while one of three is killed every 2 s: none is lost, every effect happens once',
    { timeout: 150_000 },
    async () => {
      const workers = await Promise.all([spawnWorker(), spawnWorker(), spawnWorker()]);
      const killed: Spawned[] = [];
      const marks = Array.from({ length: 500 }, (_, mark) => ({
        mark,
        ms: 200 + (mark % 7) * 100,
      }));
      for (let at = 0; at < marks.length; at += 50) await enqueue(...marks.slice(at, at + 50));

      const deadline = Date.now() + 120_000;
      while ((await countRows('jobs')) > 0 && Date.now() < deadline) {
        await sleep(2_000);
        const victim = workers.shift() as Spawned;
        await victim.kill('SIGKILL');
        killed.push(victim);
        workers.push(await spawnWorker());
      }
      expect(await countRows('jobs')).toBe(0);
      expect(await countRows('marks')).toBe(500);
      expect(killed.length).toBeGreaterThanOrEqual(3);
      const starts = [...killed, ...workers].flatMap(startsOf);
      // More than 500, or no kill interrupted a job; not many more, or finished jobs ran again.
      expect(starts.length).toBeGreaterThan(500);
      expect(starts.length).toBeLessThanOrEqual(500 + 8 * killed.length);
    },
  );

  it('killed with -9: its job starts again in another one', async () => {
    const victim = await spawnWorker();
    await enqueue({ mark: 1, ms: 40_000 });
    await victim.waitForLine(/^started 1 attempt 1$/);
    const other = await spawnWorker();
    // After one renewal, so that the lease is as long as possible.
    await sleep(6_000);
    expect(startsOf(other)).toEqual([]);
    await victim.kill('SIGKILL');
    await other.waitForLine(/^started 1 attempt 2$/);
  });

  it('told to stop: a job that does not end in time is handed back, and starts elsewhere at once', async () => {
    const stopping = await spawnWorker({ GRACE_MS: '500' });
    await enqueue({ mark: 2, ms: 100_000 }, { mark: 3, ms: 500 });
    await stopping.waitForLine(/^started 3/);
    const other = await spawnWorker({ POLL_MS: NEVER_MS });
    const exit = await stopping.kill('SIGTERM');
    expect(exit).toEqual({ code: 0, signal: null });
    await other.waitForLine(/^started 2 attempt 1$/);
    expect(startsOf(other)).toHaveLength(1);
    expect(await countRows('marks')).toBe(1);
  });

  it('in another process start a job when it is committed, without a poll', async () => {
    const worker = await spawnWorker({ POLL_MS: NEVER_MS });
    for (let mark = 10; mark < 20; mark++) {
      await enqueue({ mark, ms: 0 });
      await worker.waitForLine(new RegExp(`^started ${mark} `));
    }
  });
});
