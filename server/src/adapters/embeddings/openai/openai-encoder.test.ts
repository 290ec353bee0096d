import pino from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddingsServer,
  startEmbeddingsServer,
} from '../../../../test/harness/outside/openai-embeddings-server.ts';
import { createTextEncoder } from '../create-text-encoder.ts';
import { createLocalEncoder } from '../local/local-encoder.ts';
import type { TextEncoder } from '../text-encoder.ts';
import { TIMINGS, type Timings } from './embeddings-client.ts';
import { createOpenAiEncoder } from './openai-encoder.ts';

const ONE = { orgId: 'one' };
const KEY = 'sk-very-secret-0123456789';
const MODEL = 'text-embedding-3-small';
const FAST: Timings = { ...TIMINGS, backoffMs: 1, maxRetryAfterMs: 1, breakerOpenMs: 0 };
const BROKEN = { kind: 'status', status: 500 } as const;

let server: EmbeddingsServer;
let lines: string[] = [];
let made: TextEncoder[];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

beforeEach(async () => {
  server = await startEmbeddingsServer();
  lines = [];
  made = [];
});
afterEach(async () => {
  await Promise.all(made.map((encoder) => encoder.close()));
  await server.close();
  expect(lines.join('')).not.toContain(KEY);
});

/** One thread for all tests. Without the addon it has nothing to do: they are about the service. */
const local = createLocalEncoder(log, { addon: 'no-such-addon', isForTokens: true });
afterAll(() => local.close());

function encoderWith(
  timings: Partial<Timings> = {},
  model = MODEL,
  dimensions = 1536,
): TextEncoder {
  const encoder = createOpenAiEncoder(
    { baseUrl: server.baseUrl, apiKey: KEY, model, dimensions },
    log,
    { timings: { ...FAST, ...timings }, local: { ...local, close: async () => {} } },
  );
  made.push(encoder);
  return encoder;
}

const isVector = (each: { vector: Float32Array | null }) => each.vector !== null;

describe('the service', () => {
  it('gets requests in its own format, and its vectors come back in order, at unit length', async () => {
    const encoder = encoderWith();
    const [cat, dog, again] = await encoder.encode(['the cat', 'a dog', 'the cat', ''], ONE);
    expect(server.requests).toEqual([
      {
        authorization: `Bearer ${KEY}`,
        body: {
          model: MODEL,
          input: ['the cat', 'a dog', 'the cat', ' '],
          encoding_format: 'base64',
          dimensions: 1536,
        },
      },
    ]);
    expect(cat).toEqual(again);
    expect(cat?.vector).not.toEqual(dog?.vector);
    expect(Math.hypot(...(cat?.vector ?? []))).toBeCloseTo(1, 5);
    expect(encoder).toMatchObject({ model: MODEL, dimensions: 1536, tokenModel: 'minilm-96-2' });
  });

  it('may send numbers instead of base64, and is not sent dimensions it does not know', async () => {
    server.script([{ kind: 'answer', isFloat: true, dimensions: 768 }]);
    const encoder = encoderWith({}, 'nomic-embed-text', 768);
    expect((await encoder.encodeQuery('cat', ONE)).vector).toHaveLength(768);
    expect(server.requests[0]?.body).not.toHaveProperty('dimensions');
  });

  it('gets 64 texts at a time', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `text ${at}`);
    const encoded = await encoderWith().encode(texts, { ...ONE, priority: 'background' });
    expect(encoded.every(isVector)).toBe(true);
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([64, 64, 64, 64, 44]);
  });

  it('gives no token vectors', async () => {
    const encoder = createTextEncoder(
      { kind: 'openai', baseUrl: server.baseUrl, apiKey: KEY, model: MODEL, dimensions: 1536 },
      log,
    );
    made.push(encoder);
    const query = await encoder.encodeQuery('where is the cat?', ONE);
    expect(query.words).toEqual(['where', 'is', 'the', 'cat']);
    const [memory] = await encoder.encode(['The cat is here.'], ONE);
    const [score] = await encoder.rerank(
      query,
      Float32Array.of(1, 1, 1, 1),
      [memory?.tokens ?? null],
      ONE,
    );
    expect(score).toBeGreaterThan(0.5);
    expect([query, memory as typeof query].every(isVector)).toBe(true);
  });
});

describe('a failing service', () => {
  it.each([
    ['is busy', { kind: 'status', status: 429, retryAfter: '3600' }],
    ['fails', BROKEN],
    ['sends garbage', { kind: 'garbage', body: '<html>' }],
    ['sends another thing', { kind: 'garbage', body: '{"data":[{"index":0,"embedding":[null]}]}' }],
    ['sends no numbers', { kind: 'garbage', body: '{"data":[{"index":0,"embedding":"AAAA"}]}' }],
    ['breaks off', { kind: 'cut' }],
    ['has other dimensions', { kind: 'answer', dimensions: 1535 }],
    ['leaves a text out', { kind: 'answer', leaveOut: 1 }],
    ['sends without end', { kind: 'flood' }],
  ] as const)('%s: is asked again', async (_, behaviour) => {
    server.script([behaviour]);
    expect((await encoderWith().encodeQuery('cat', ONE)).vector).toHaveLength(1536);
    expect(server.requests).toHaveLength(2);
  });

  it('hangs: is retried, and abandoned at the deadline', async () => {
    const deadlinesMs = { query: 2_000, write: 2_000, background: 2_000 };
    server.script([{ kind: 'hang' }]);
    expect((await encoderWith({ deadlinesMs }).encodeQuery('cat', ONE)).vector).toHaveLength(1536);
    server.script([], { kind: 'hang' });
    expect((await encoderWith({ deadlinesMs }).encodeQuery('cat', ONE)).vector).toBeNull();
  });

  it('keeps failing: null after four attempts, and the log says why', async () => {
    server.script([], BROKEN);
    expect((await encoderWith().encode(['cat'], ONE))[0]?.vector).toBeNull();
    expect(server.requests).toHaveLength(4);
    expect(lines.join('')).toContain('responded with 500');
  });

  it('refuses the key: is not retried for this text', async () => {
    server.script([], { kind: 'status', status: 401 });
    expect((await encoderWith().encode(['cat'], ONE))[0]?.vector).toBeNull();
    expect(server.requests).toHaveLength(1);
  });

  it('refuses one text: the others get their vectors', async () => {
    server.script([], { kind: 'refuse', texts: 'bad' });
    const encoded = await encoderWith().encode(['good', 'bad', 'fine'], ONE);
    expect(encoded.map(isVector)).toEqual([true, false, true]);
    expect(server.requests).toHaveLength(4);
  });

  it('refuses every text: it is not asked about each of many', async () => {
    server.script([], { kind: 'status', status: 400 });
    const encoded = await encoderWith().encode(
      Array.from({ length: 60 }, (_, at) => `${at}`),
      ONE,
    );
    expect(encoded.some(isVector)).toBe(false);
    expect(server.requests).toHaveLength(9);
  });

  it('is down: null, as soon as the connection is refused', async () => {
    const encoder = encoderWith();
    await server.close();
    expect((await encoder.encodeQuery('cat', ONE)).vector).toBeNull();
    expect(lines.join('')).toContain('ECONNREFUSED');
    server = await startEmbeddingsServer();
  });

  it('is left alone after consecutive failures, tried once after a while, then used again', async () => {
    server.script([], { kind: 'status', status: 401 });
    let time = 0;
    const encoder = encoderWith({ breakerOpenMs: 2_000, now: () => time });
    for (let at = 0; at < 8; at++) await encoder.encodeQuery('cat', ONE);
    expect(server.requests).toHaveLength(5);
    expect(lines.filter((line) => line.includes('is down"'))).toHaveLength(1 + 3);
    server.script([]);
    time = 1_999;
    expect((await encoder.encodeQuery('cat', ONE)).vector).toBeNull();
    expect(server.requests).toHaveLength(5);
    time = 2_000;
    expect((await encoder.encodeQuery('cat', ONE)).vector).not.toBeNull();
    expect(server.requests).toHaveLength(6);
    expect(lines.join('')).toContain('available again');
  });

  it('does not keep an aborted caller waiting', async () => {
    server.script([], { kind: 'hang' });
    const gone = new AbortController();
    const encoder = encoderWith();
    const encoding = encoder.encodeQuery('cat', { ...ONE, signal: gone.signal });
    await server.received(1);
    gone.abort(new Error('the caller left'));
    await expect(encoding).rejects.toThrow('the caller left');
    const closing = expect(encoder.encodeQuery('cat', ONE)).rejects.toThrow('closed');
    await server.received(2);
    await encoder.close();
    await closing;
  });
});
