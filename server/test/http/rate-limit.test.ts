import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLimiter } from '../../src/adapters/rate-limiter/memory.ts';
import { createCaller } from '../harness/clients/client.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { startTestServer } from '../harness/processes/server.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

describe('limits of a key', () => {
  const server = useTestServer({ env: { RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '3' } });
  const { call } = server;
  let org: TestOrg;

  beforeAll(async () => {
    org = await createTestOrg(server.db);
  });

  it('429 past the limit, with headers that say when; separate for reads, writes and each key', async () => {
    const read = () => call('GET', '/api/projects', { key: org.owner.key });
    const replies = await Promise.all(Array.from({ length: 8 }, read));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(refused.json.error.code).toBe('RATE_LIMIT');
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('ratelimit-reset')).toBe(String(retryAfter));
    const write = await call('POST', '/api/projects', { key: org.owner.key, body: {} });
    expect([write.status, write.headers.get('ratelimit-remaining')]).toEqual([400, '2']);
    expect((await call('GET', '/api/projects', { key: org.member.key })).status).toBe(200);
  });

  it('do not count 401s, unknown paths and the OpenAPI document', async () => {
    for (const path of ['/api/projects', '/api/nothing', '/api/openapi.json']) {
      const reply = await call('GET', path);
      expect(reply.headers.get('ratelimit-limit')).toBeNull();
    }
  });
});

describe('the sliding window in memory', () => {
  it('never lets more than the limit through in any 60 s, and refuses nothing it could allow', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }),
        async (limit, pauses) => {
          let now = 0;
          const limiter = createMemoryLimiter(() => now);
          const taken: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const within = taken.filter((time) => time > now - 60_000);
            const verdict = await limiter.take('bucket', limit);
            expect(verdict.allowed).toBe(within.length < limit);
            if (verdict.allowed) taken.push(now);
            else expect(verdict.resetMs).toBe((within[0] ?? 0) + 60_000 - now);
          }
          await limiter.close();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('lets one request through after the time it announced', async () => {
    let now = 0;
    const limiter = createMemoryLimiter(() => now);
    await limiter.take('bucket', 1);
    now = 10_000;
    const { resetMs } = await limiter.take('bucket', 1);
    now += Math.ceil(resetMs / 1000) * 1000;
    expect((await limiter.take('bucket', 1)).allowed).toBe(true);
    await limiter.close();
  });
});

describe.skipIf(!process.env['TEST_REDIS_URL'])('limits shared through Redis', () => {
  it('count across all processes, and fall back to memory if Redis is unavailable', async () => {
    const env = { RATE_LIMIT_READS: '6', REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' };
    const first = await startTestServer({ env });
    const shared = { db: first.db, url: undefined, drop: async () => {} };
    const second = await startTestServer({ env, shared });
    const cutOff = await startTestServer({
      env: { ...env, REDIS_URL: 'redis://127.0.0.1:1' },
      shared,
    });
    try {
      const org = await createTestOrg(first.db);
      const callFirst = createCaller(first.origin);
      const callSecond = createCaller(second.origin);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? callFirst : callSecond)('GET', '/api/projects', { key: org.owner.key }),
        ),
      );
      expect(replies.filter((reply) => reply.status === 200)).toHaveLength(6);
      const alone = createCaller(cutOff.origin);
      const statuses = [];
      for (let at = 0; at < 8; at++)
        statuses.push((await alone('GET', '/api/projects', { key: org.owner.key })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
      expect(cutOff.logLines.join('')).toContain('redis is unavailable');
    } finally {
      await cutOff.stop();
      await second.stop();
      await first.stop();
    }
  });
});
