import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Atrium, ConflictError, RateLimitError } from '../src/index.ts';
import { connect, failure, openSession } from './harness/client.ts';
import { forward, passOn, startFake } from './harness/fake.ts';
import { startAtrium, type AtriumServer } from './harness/server.ts';

const { origin } = inject('server');

describe('an idempotent POST', () => {
  it('is replayed: same result, isReplay set', async () => {
    const client = connect();
    const options = { idempotencyKey: crypto.randomUUID() };
    const first = await client.projects.create({ name: 'Once only' }, options).withResponse();
    const second = await client.projects.create({ name: 'Once only' }, options).withResponse();
    expect(second.data).toEqual(first.data);
    expect([first.isReplay, second.isReplay]).toEqual([false, true]);
    expect(second.requestId).not.toBe(first.requestId);
    const other = await failure(client.projects.create({ name: 'Other' }, options), ConflictError);
    expect(other.reason).toBe('idempotency_key_reused');
  });

  it('runs once if its response is lost: the second attempt gets the first result', async () => {
    const { slug, sessionId } = await openSession(connect());
    const { baseURL, seen } = await startFake(async (response, request, n) => {
      if (n > 1) return forward(origin, response, request);
      await passOn(origin, request);
      response.destroy();
    });
    const client = connect({ baseURL });
    const { data, isReplay, attempts } = await client.messages
      .post(slug, sessionId, { body: 'Only once' })
      .withResponse();
    expect({ isReplay, attempts, sent: seen.length }).toEqual({
      isReplay: true,
      attempts: 2,
      sent: 2,
    });
    const { items } = await connect().messages.list(slug, sessionId);
    expect(items.map(({ id }) => id)).toEqual([data.id]);
  });
});

describe('429 from the real server', () => {
  let server: AtriumServer;

  beforeAll(async () => {
    server = await startAtrium({ RATE_LIMIT_READS: '1', RATE_LIMIT_WRITES: '1' });
  });
  afterAll(() => server.stop());

  const limited = (maxRetries: number) =>
    new Atrium({ apiKey: server.key, baseURL: `${server.origin}/api`, maxRetries });

  it('is a RateLimitError with retryAfter', async () => {
    await limited(0).projects.create({ name: 'A' });
    const error = await failure(limited(0).projects.create({ name: 'B' }), RateLimitError);
    expect(error).toMatchObject({ code: 'RATE_LIMIT', status: 429, requestId: expect.any(String) });
    expect(error.retryAfter).toBeGreaterThanOrEqual(1);
    expect(error.retryAfter).toBeLessThanOrEqual(60);
  });

  // The server's window is a minute; Retry-After says how much of it is left.
  it.runIf(process.env['TEST_SLOW'])(
    'is retried after Retry-After and succeeds',
    { timeout: 90_000 },
    async () => {
      await limited(0).projects.list();
      const { attempts } = await limited(1).projects.list().withResponse();
      expect(attempts).toBe(2);
    },
  );
});
