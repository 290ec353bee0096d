import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLimiter } from '../../src/adapters/rate-limiter/memory.ts';
import { createRedisLimiter } from '../../src/adapters/rate-limiter/redis.ts';
import type { Reply } from '../harness/clients/client.ts';
import { addPerson } from '../harness/factories.ts';
import { createShared, spread, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';
import { startRedis } from './redis-process.ts';

const WRITES = 20;
const READS = 60;
const SPAN_MS = 60_000;

let shared: Shared;
beforeAll(async () => {
  shared = await createShared();
});
afterEach(killAll);
afterAll(() => shared.drop());

async function newKey(): Promise<string> {
  return (await addPerson(shared.db, shared.org.orgId, 'MEMBER')).key;
}

function redisUrl(): string {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('this suite needs Redis: set TEST_REDIS_URL');
  return url;
}

async function startLimiter(url: string) {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const limiter = createRedisLimiter(url, createMemoryLimiter(), log);
  await limiter.ready();
  return { limiter, warnings };
}

let projects = 0;
const write = (server: ServerProcess, key: string) =>
  server.call('POST', '/api/projects', { key, body: { name: `Limited ${++projects}` } });
const read = (server: ServerProcess, key: string) => server.call('GET', '/api/projects', { key });

function countAllowed(replies: readonly Reply[]): number {
  const statuses = new Set(replies.map((reply) => reply.status));
  expect([...statuses].filter((status) => ![200, 201, 429].includes(status))).toEqual([]);
  return replies.filter((reply) => reply.status !== 429).length;
}

describe('three processes that share Redis', () => {
  it(
    'let 20 writes and 60 reads through in any 60 s, and a request that waits for Retry-After',
    { timeout: 120_000 },
    async () => {
      const servers = await startServers(3, {
        DATABASE_URL: shared.url,
        REDIS_URL: redisUrl(),
        RATE_LIMIT_READS: String(READS),
        RATE_LIMIT_WRITES: String(WRITES),
      });
      await Promise.all([
        loadAcrossWallMinute(servers),
        loadAcrossOwnMinute(servers),
        retryWhenTold(servers, write, WRITES),
        retryWhenTold(servers, read, READS),
      ]);
    },
  );

  it('do not mistake their own delays for an outage of Redis', async () => {
    const { limiter, warnings } = await startLimiter(redisUrl());
    const bucket = `held-up-${process.pid}-${Date.now()}`;
    const verdicts = Array.from({ length: 5 }, () => limiter.take(bucket, 3));
    holdUpThisProcess(1_500); // Longer than Redis may take.
    const allowed = (await Promise.all(verdicts)).filter((verdict) => verdict.allowed);
    await limiter.close();
    expect(warnings).toEqual([]);
    expect(allowed).toHaveLength(3);
  });
});

describe('Redis fails and comes back', () => {
  it('killed: each process has its own limits meanwhile, then they are shared again, and no request fails', async () => {
    const redis = await startRedis();
    const servers = await startServers(3, {
      DATABASE_URL: shared.url,
      REDIS_URL: redis.url,
      RATE_LIMIT_WRITES: String(WRITES),
    });
    const readers = await startReaders(servers);
    const [before, during, after] = await Promise.all([newKey(), newKey(), newKey()]);

    const grantedBefore = await writesPerServer(servers, before, 10);
    expect(sum(grantedBefore)).toBe(WRITES);

    await redis.kill();
    expect(await writesPerServer(servers, during, 30)).toEqual([WRITES, WRITES, WRITES]);
    const grantedNow = await writesPerServer(servers, before, 30);
    // Requests that a process allowed while Redis counted are part of its own count as well.
    expect(grantedNow.map((granted, at) => granted + (grantedBefore[at] ?? 0))).toEqual([
      WRITES,
      WRITES,
      WRITES,
    ]);

    await redis.restart();
    await Promise.all(servers.map((server) => server.waitForLine(/redis is available again/)));
    expect(sum(await writesPerServer(servers, after, 10))).toBe(WRITES);
    expect(await readers.stop()).toEqual(new Set([200]));
  });

  it('hanging: only those wait who asked before it was noticed', async () => {
    const redis = await startRedis();
    const { limiter, warnings } = await startLimiter(redis.url);
    redis.signal('SIGSTOP');
    await limiter.take('first', 3);
    expect(warnings.join('')).toContain('redis is unavailable');
    holdUpThisProcess(1_100); // So long that the next one asks whether Redis is back.
    for (const bucket of ['second', 'third']) {
      const verdict = limiter.take(bucket, 3).then(() => 'given');
      const nextTurn = new Promise((resolve) => setImmediate(resolve, 'still waited for'));
      expect(await Promise.race([verdict, nextTurn])).toBe('given');
    }
    await limiter.close();
  });

  it('hanging: requests are answered anyway', async () => {
    const redis = await startRedis();
    const servers = await startServers(1, {
      DATABASE_URL: shared.url,
      REDIS_URL: redis.url,
      RATE_LIMIT_WRITES: String(WRITES),
    });
    redis.signal('SIGSTOP');
    expect(await writesPerServer(servers, await newKey(), 30)).toEqual([WRITES]);
    redis.signal('SIGCONT');
    const readers = await startReaders(servers);
    await Promise.all(servers.map((server) => server.waitForLine(/redis is available again/)));
    expect(await readers.stop()).toEqual(new Set([200]));
  });
});

interface Accepted {
  sentAt: number;
  /** By the server's clock, which is also ours; its slot was taken before. */
  answeredAt: number;
}

/** Volleys across a full minute on the clock, where a window that begins there would allow double. */
async function loadAcrossWallMinute(servers: readonly ServerProcess[]): Promise<void> {
  const key = await newKey();
  const now = Date.now();
  const minute = Math.ceil((now + 2_500) / SPAN_MS) * SPAN_MS;
  const { reads, writes } = await fireVolleys(servers, key, minute - 2_000);
  expectWithinLimits(writes, WRITES);
  expectWithinLimits(reads, READS);
  expect([writes.length, reads.length]).toEqual([WRITES, READS]);
}

/** Volleys around 60 s after a first request: one slot of each kind becomes free, and no more. */
async function loadAcrossOwnMinute(servers: readonly ServerProcess[]): Promise<void> {
  const key = await newKey();
  const first = {
    writes: await sendAll(servers, key, write, 1),
    reads: await sendAll(servers, key, read, 1),
  };
  const { reads, writes } = await fireVolleys(servers, key, Date.now() + SPAN_MS - 2_000);
  expectWithinLimits([...first.writes, ...writes], WRITES);
  expectWithinLimits([...first.reads, ...reads], READS);
  expect([writes.length, reads.length]).toEqual([WRITES, READS]);
}

/** 100 requests at once, every half second for four seconds. */
async function fireVolleys(
  servers: readonly ServerProcess[],
  key: string,
  from: number,
): Promise<{ writes: Accepted[]; reads: Accepted[] }> {
  await sleep(Math.max(0, from - Date.now()));
  const volleys = await Promise.all(
    Array.from({ length: 9 }, async (_, at) => {
      await sleep(at * 500);
      return Promise.all([sendAll(servers, key, write, 30), sendAll(servers, key, read, 70)]);
    }),
  );
  return {
    writes: volleys.flatMap(([writes]) => writes),
    reads: volleys.flatMap(([, reads]) => reads),
  };
}

async function sendAll(
  servers: readonly ServerProcess[],
  key: string,
  send: typeof write,
  count: number,
): Promise<Accepted[]> {
  const answered = await spread(servers, count, async (server) => {
    const sentAt = Date.now();
    return { sentAt, reply: await send(server, key) };
  });
  countAllowed(answered.map(({ reply }) => reply));
  return answered
    .filter(({ reply }) => reply.status !== 429)
    .map(({ sentAt, reply }) => ({
      sentAt,
      answeredAt: Date.parse(reply.json.metadata.timestamp),
    }));
}

/**
 * A slot was taken at some time between request and response. If the first request was sent less
 * than 60 s before the last response, all slots are in one span for certain; clocks count whole ms.
 */
function expectWithinLimits(accepted: readonly Accepted[], limit: number): void {
  for (const { sentAt } of accepted) {
    const within = accepted.filter(
      (other) => other.sentAt >= sentAt && other.answeredAt + 1 <= sentAt + SPAN_MS,
    );
    expect(within.length).toBeLessThanOrEqual(limit);
  }
}

/** The limit is used up in two halves ten seconds apart, so that the wait is not exactly a minute. */
async function retryWhenTold(
  servers: readonly ServerProcess[],
  send: typeof write,
  limit: number,
): Promise<void> {
  const key = await newKey();
  const begun = Date.now();
  expect(await sendAll(servers, key, send, limit / 2)).toHaveLength(limit / 2);
  const firstHalfUsed = Date.now();
  await sleep(10_000);
  expect(await sendAll(servers, key, send, limit)).toHaveLength(limit / 2);
  const [server] = servers as [ServerProcess];
  const sentAt = Date.now();
  const refused = await send(server, key);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(refused.status).toBe(429);
  // Until the first slot is free again, which was taken at some time in between.
  expect(seconds * 1000).toBeGreaterThanOrEqual(SPAN_MS - (Date.now() - begun));
  expect(seconds * 1000).toBeLessThan(SPAN_MS - (sentAt - firstHalfUsed) + 1_000);
  await sleep(seconds * 1000);
  expect((await send(server, key)).status).not.toBe(429);
}

async function writesPerServer(
  servers: readonly ServerProcess[],
  key: string,
  each: number,
): Promise<number[]> {
  return Promise.all(
    servers.map(async (server) =>
      countAllowed(await spread([server], each, () => write(server, key))),
    ),
  );
}

/** Keeps reading from every server until stopped; returns the statuses. */
async function startReaders(servers: readonly ServerProcess[]) {
  const key = await newKey();
  const statuses = new Set<number>();
  const stopping = new AbortController();
  const readers = servers.map(async (server) => {
    while (!stopping.signal.aborted && !statuses.has(0)) {
      statuses.add(await statusOf(read(server, key)));
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(readers);
      return statuses;
    },
  };
}

/** 0 if there was no response. */
async function statusOf(reply: Promise<Reply>): Promise<number> {
  return reply.then(
    ({ status }) => status,
    () => 0,
  );
}

function holdUpThisProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
