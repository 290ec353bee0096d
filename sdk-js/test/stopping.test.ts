import { describe, expect, it } from 'vitest';
import { Atrium, TimeoutError, UsageError } from '../src/index.ts';
import { failure } from './harness/client.ts';
import { fail, startFake, succeed } from './harness/fake.ts';

const apiKey = `atr_${'a'.repeat(46)}`;

describe('timeout', () => {
  it('applies to each attempt: after a first response that never comes, the second attempt succeeds', async () => {
    const { baseURL, seen } = await startFake((response, _, n) => {
      if (n > 1) succeed(response, { id: 'c1' });
    });
    const client = new Atrium({ apiKey, baseURL, timeout: 2000 });
    expect(await client.projects.get('c1')).toEqual({ id: 'c1' });
    expect(seen).toHaveLength(2);
  });

  it('applies to the body too, and PATCH is not retried', async () => {
    const { baseURL, seen } = await startFake((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"success":true,');
    });
    const client = new Atrium({ apiKey, baseURL });
    const call = client.projects.update('c1', { name: 'B' }, { timeout: 150 });
    const error = await failure(call, TimeoutError);
    expect(error.message).toMatch(/timed out after 150 ms/);
    expect(error.code).toBe('TIMEOUT');
    expect(seen).toHaveLength(1);
  });
});

describe('signal', () => {
  it('cancels a running request at once, with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const { baseURL, seen } = await startFake(() => controller.abort(reason));
    const call = new Atrium({ apiKey, baseURL }).projects.list({}, { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('cancels the wait for a retry, and nothing more is sent', async () => {
    const { baseURL, seen } = await startFake((response) =>
      fail(response, 429, { code: 'RATE_LIMIT' }, { 'Retry-After': '59' }),
    );
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    // Told of the failed attempt when it is about to wait.
    const logger = () => void setImmediate(() => controller.abort(reason));
    const call = new Atrium({ apiKey, baseURL, logger }).projects.list(
      {},
      { signal: controller.signal },
    );
    await expect(call).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('sends nothing if it is already aborted', async () => {
    const { baseURL, seen } = await startFake(() => {});
    const call = new Atrium({ apiKey, baseURL }).projects.list({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toHaveLength(0);
  });

  it('stops an iteration between pages', async () => {
    const { baseURL } = await startFake((response, _, n) =>
      succeed(response, { items: [{ id: `c${n}` }], nextBefore: `c${n}`, hasMore: true }),
    );
    const controller = new AbortController();
    const seen: string[] = [];
    const iterate = async () => {
      const list = new Atrium({ apiKey, baseURL }).memory.list({}, { signal: controller.signal });
      for await (const { id } of list) {
        seen.push(id);
        if (seen.length === 3) controller.abort();
      }
    };
    await expect(iterate()).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual(['c1', 'c2', 'c3']);
  });
});

describe('invalid input', () => {
  const cycle: { self?: unknown; name: string } = { name: 'A' };
  cycle.self = cycle;

  it.each([
    ['a cycle', cycle, /can't be sent as JSON.*circular/i],
    ['a BigInt', { name: 'A', size: 1n }, /can't be sent as JSON.*BigInt/],
    ['NaN', { name: 'A', size: Number.NaN }, /can't be sent as JSON: size is NaN/],
    ['a string', 'A', /params must be an object/],
  ])('%s as the body: throws a UsageError and sends nothing', async (_, body, message) => {
    const { baseURL, seen } = await startFake(() => {});
    const call = new Atrium({ apiKey, baseURL }).projects.create(body as { name: string });
    expect((await failure(call, UsageError)).message).toMatch(message);
    expect(seen).toHaveLength(0);
  });

  it.each(['', '.', '..', undefined])(
    '%j as an id is rejected: it would change the path',
    async (id) => {
      const { baseURL, seen } = await startFake(() => {});
      const call = new Atrium({ apiKey, baseURL }).projects.archive(id as string);
      expect((await failure(call, UsageError)).message).toMatch(
        /projectId must be a non-empty string/,
      );
      expect(seen).toHaveLength(0);
    },
  );

  it.each([
    [{ idempotencyKey: 'a b' }, /idempotencyKey/],
    [{ idempotencyKey: 'a'.repeat(256) }, /idempotencyKey/],
    [{ timeout: -1 }, /timeout/],
    [{ maxRetries: 0.5 }, /maxRetries/],
    [{ headers: { 'X-A': 'a\nb' } }, /header "X-A"/],
  ])('%j as options: throws a UsageError', async (options, message) => {
    const call = new Atrium({ apiKey }).projects.create({ name: 'A' }, options);
    expect((await failure(call, UsageError)).message).toMatch(message);
  });
});
