import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  Atrium,
  AtriumMemory,
  ConflictError,
  ConnectionError,
  InternalError,
  NotAtriumError,
  RateLimitError,
  type AtriumOptions,
  type LogEntry,
} from '../src/index.ts';
import { failure } from './harness/client.ts';
import { fail, startFake, succeed, type Answerer } from './harness/fake.ts';

const apiKey = `atr_${'a'.repeat(46)}`;
const broken = { code: 'INTERNAL_ERROR' };

async function stage(answer: Answerer, options: AtriumOptions = {}) {
  const { baseURL, seen } = await startFake(answer);
  return { client: new Atrium({ apiKey, baseURL, ...options }), seen, baseURL };
}

const brokenOnce: Answerer = (response, _, n) =>
  n === 1 ? fail(response, 500, broken) : succeed(response, { id: 'c1' });

describe('500', () => {
  it('GET is retried', async () => {
    const { client, seen } = await stage(brokenOnce);
    const { data, attempts } = await client.projects.get('c1').withResponse();
    expect({ data, attempts, sent: seen.length }).toEqual({
      data: { id: 'c1' },
      attempts: 2,
      sent: 2,
    });
  });

  it('POST is retried with the same bytes and the same Idempotency-Key', async () => {
    const { client, seen } = await stage(brokenOnce);
    await client.projects.create({ name: 'A' });
    const [first, second] = seen;
    expect(second).toEqual(first);
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('POST: every call has its own key, unless you pass one', async () => {
    const { client, seen } = await stage((response) => succeed(response, {}));
    await client.projects.create({ name: 'A' });
    await client.projects.create({ name: 'A' });
    await client.projects.create({ name: 'A' }, { idempotencyKey: 'mine' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('memory.search is retried like a GET, without a key, in v1 too', async () => {
    const { client, seen, baseURL } = await stage((response, _, n) =>
      n % 2 === 1 ? fail(response, 500, broken) : succeed(response, { items: [] }),
    );
    await client.memory.search({ query: 'x' });
    await new AtriumMemory({ apiKey: `sk_live_${'a'.repeat(46)}`, baseURL }).memories.search({
      query: 'x',
    });
    expect(seen).toHaveLength(4);
    expect(seen.some(({ headers }) => 'idempotency-key' in headers)).toBe(false);
  });

  it.each([
    ['PATCH', (client: Atrium) => client.projects.update('c1', { name: 'B' })],
    ['PUT', (client: Atrium) => client.projects.addMember('c1', 'c2')],
    ['DELETE', (client: Atrium) => client.projects.archive('c1')],
  ])('%s is not retried', async (_, call) => {
    const { client, seen } = await stage(brokenOnce);
    const error = await failure(call(client), InternalError);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500, requestId: 'fake' });
    expect(seen).toHaveLength(1);
  });

  it('stops after maxRetries of the client or of the call', async () => {
    const { client, seen } = await stage((response) => fail(response, 503, broken), {
      maxRetries: 1,
    });
    await failure(client.projects.list(), InternalError);
    expect(seen).toHaveLength(2);
    await failure(client.projects.list({}, { maxRetries: 0 }), InternalError);
    expect(seen).toHaveLength(3);
  });
});

describe('a lost connection', () => {
  const cut =
    (times: number): Answerer =>
    (response, _, n) => {
      if (n > times) return succeed(response, { id: 'c1' });
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' });
      response.write('{"success":true,"data":{"id":');
      setTimeout(() => response.destroy(), 20);
    };

  it('GET and POST are retried if it closes in the middle of the response', async () => {
    for (const call of ['get', 'create'] as const) {
      const { client, seen } = await stage(cut(1));
      const made =
        call === 'get' ? client.projects.get('c1') : client.projects.create({ name: 'A' });
      expect(await made).toEqual({ id: 'c1' });
      expect(seen).toHaveLength(2);
    }
  });

  it('GET is retried if a response without a length ends early', async () => {
    const { client, seen } = await stage((response, _, n) => {
      if (n > 1) return succeed(response, { id: 'c1' });
      response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end('{"success":true,"data":{"id":');
    });
    expect(await client.projects.get('c1')).toEqual({ id: 'c1' });
    expect(seen).toHaveLength(2);
  });

  it('PATCH is not retried, and the error says what happened', async () => {
    const { client, seen } = await stage(cut(9));
    const error = await failure(client.projects.update('c1', { name: 'B' }), ConnectionError);
    expect(error.message).toMatch(/PATCH \/projects\/\{projectId\}.*incomplete response from/);
    expect(seen).toHaveLength(1);
  });

  it('if nobody listens, the error names the address and what to check', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const baseURL = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/api`;
    await new Promise((resolve) => closed.close(resolve));
    const client = new Atrium({ apiKey, baseURL, maxRetries: 1 });
    const error = await failure(client.projects.list(), ConnectionError);
    expect(error.message).toBe(
      `GET /projects failed: can't connect to ${baseURL} (ECONNREFUSED). Check the base URL and that the server is running.`,
    );
    expect(error).toMatchObject({ code: 'CONNECTION_ERROR', status: undefined });
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('429 and 409', () => {
  it('429: any request is retried after Retry-After', async () => {
    const { client } = await stage((response, _, n) =>
      n === 1
        ? fail(response, 429, { code: 'RATE_LIMIT' }, { 'Retry-After': '1' })
        : succeed(response, { id: 'c1' }),
    );
    const start = performance.now();
    await client.projects.update('c1', { name: 'B' });
    expect(performance.now() - start).toBeGreaterThan(990);
  });

  it("429: Retry-After can be a date, and is compared with the server's clock", async () => {
    const { client, seen } = await stage((response, _, n) => {
      const wrong = Date.parse('2001-01-01T00:00:00Z');
      const dates = {
        Date: new Date(wrong).toUTCString(),
        'Retry-After': new Date(wrong + 1000).toUTCString(),
      };
      return n === 1 ? fail(response, 429, { code: 'RATE_LIMIT' }, dates) : succeed(response, {});
    });
    const start = performance.now();
    await client.projects.archive('c1');
    expect(performance.now() - start).toBeGreaterThan(990);
    expect(seen).toHaveLength(2);
  });

  it('429: fails at once if Retry-After is more than a minute', async () => {
    const { client, seen } = await stage((response) =>
      fail(response, 429, { code: 'RATE_LIMIT' }, { 'Retry-After': '3600' }),
    );
    const error = await failure(client.projects.list(), RateLimitError);
    expect(error.retryAfter).toBe(3600);
    expect(seen).toHaveLength(1);
  });

  it('409 idempotency_in_progress is retried after Retry-After with the same key', async () => {
    const running = { code: 'CONFLICT', details: { reason: 'idempotency_in_progress' } };
    const { client, seen } = await stage((response, _, n) =>
      n === 1
        ? fail(response, 409, running, { 'Retry-After': '1' })
        : succeed(response, { id: 'c1' }),
    );
    await client.projects.create({ name: 'A' });
    expect(seen[1]).toEqual(seen[0]);
  });

  it('409 for any other reason is not retried', async () => {
    const taken = { code: 'CONFLICT', details: { reason: 'slug_taken', slug: 'a' } };
    const { client, seen } = await stage((response) =>
      fail(response, 409, taken, { 'Retry-After': '1' }),
    );
    const error = await failure(client.projects.create({ name: 'A' }), ConflictError);
    expect(error.reason).toBe('slug_taken');
    expect(seen).toHaveLength(1);
  });
});

describe('a server that is not Atrium', () => {
  const html: Answerer = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Hello</h1>');
  };

  it.each<[string, Answerer, RegExp]>([
    ['HTML', html, /200 \(text\/html\).*Check the base URL/],
    [
      'other JSON',
      (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('[1]'),
      /not a response from Atrium/,
    ],
    [
      '404 HTML',
      (response) => void response.writeHead(404, { 'Content-Type': 'text/html' }).end('no'),
      /404.*Check the base URL/,
    ],
    [
      'a redirect',
      (response) => void response.writeHead(302, { Location: 'https://h/api?k=1' }).end(),
      /redirected to https:\/\/h\/api\..*set the base URL/,
    ],
  ])('%s fails at once with a clear error', async (_, answer, message) => {
    const { client, seen } = await stage(answer);
    const error = await failure(client.projects.create({ name: 'A' }), NotAtriumError);
    expect(error.message).toMatch(message);
    expect(seen).toHaveLength(1);
  });

  it("a proxy's 502 is retried like any 5xx", async () => {
    const { client, seen } = await stage(
      (response) =>
        void response.writeHead(502, { 'Content-Type': 'text/html' }).end('bad gateway'),
      { maxRetries: 1 },
    );
    const error = await failure(client.projects.list(), NotAtriumError);
    expect(error.message).toMatch(/502.*proxy.*Check that the server is running/);
    expect(seen).toHaveLength(2);
  });
});

describe('the logger', () => {
  it('gets method, template, status and duration of every attempt, but no key, id or body', async () => {
    const entries: LogEntry[] = [];
    const { client } = await stage(brokenOnce, { logger: (entry) => entries.push(entry) });
    await client.messages.post('s3cret-slug', 'cs3cret', { body: 's3cret' });
    const path = '/spaces/{slug}/sessions/{sessionId}/messages';
    expect(entries).toEqual([
      {
        method: 'POST',
        path,
        attempt: 1,
        status: 500,
        requestId: 'fake',
        error: 'INTERNAL_ERROR',
        durationMs: expect.any(Number),
        retryInMs: expect.any(Number),
      },
      {
        method: 'POST',
        path,
        attempt: 2,
        status: 200,
        requestId: 'fake',
        durationMs: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/s3cret|atr_/);
  });

  it('does not break the call if it throws', async () => {
    const logger = () => {
      throw new Error('disk full');
    };
    const { client } = await stage((response) => succeed(response, { id: 'c1' }), { logger });
    expect(await client.projects.get('c1')).toEqual({ id: 'c1' });
  });
});
