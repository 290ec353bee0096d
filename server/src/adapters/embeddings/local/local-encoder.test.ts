import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NOT_ENCODED, QueueFull, type TextEncoder } from '../text-encoder.ts';
import { createLocalEncoder, type LocalEncoderOptions } from './local-encoder.ts';
import { QUEUE_LIMITS } from './queue-limit.ts';
import { openTokenPack } from './token-vectors.ts';
import { MAX_QUERY_TEXT_TOKENS } from './windows.ts';

const ONE = { orgId: 'one' };
const CAT = 'The cat sits on the mat.';
const KITTEN = 'A kitten rests upon a rug';
const TAXES = 'Quarterly tax returns are due in April';
const LONG = `${'We met on Monday and talked about the budget of the new office. '.repeat(150)}${CAT}`;

const ENCODER = new URL('local-encoder.ts', import.meta.url).href;

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const others: TextEncoder[] = [];
let encoder: TextEncoder;

beforeAll(async () => {
  encoder = createLocalEncoder(log);
  await encoder.warmUp();
});
afterAll(() => encoder.close());
afterEach(async () => {
  await Promise.all(others.splice(0).map((each) => each.close()));
});

function another(options: LocalEncoderOptions): TextEncoder {
  const made = createLocalEncoder(log, options);
  others.push(made);
  return made;
}

async function vectorsOf(texts: string[], by = encoder): Promise<Float32Array[]> {
  const encoded = await by.encode(texts, ONE);
  return encoded.map(({ vector }) => vector ?? new Float32Array());
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? Number.NaN;
}

describe('the local model', () => {
  it('gives vectors of unit length, close together for texts with the same meaning', async () => {
    const [cat, kitten, taxes, empty] = await vectorsOf([CAT, KITTEN, TAXES, '']);
    expect(cat).toHaveLength(encoder.dimensions);
    for (const vector of [cat, kitten, taxes, empty])
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(cosine(cat, kitten)).toBeGreaterThan(0.55);
    expect(cosine(cat, taxes)).toBeLessThan(0.15);
  });

  it('gives a text the same vector whatever is encoded with it', async () => {
    const [alone] = await encoder.encode([CAT], ONE);
    const crowd = [
      TAXES,
      CAT,
      LONG.slice(0, 1_500),
      '',
      'short',
      KITTEN.repeat(5),
      ...Array.from({ length: 30 }, () => KITTEN),
    ];
    const [, inCrowd] = await encoder.encode(crowd, ONE);
    const apart = alone?.vector?.map((value, at) => Math.abs(value - (inCrowd?.vector?.[at] ?? 9)));
    expect(Math.max(...(apart ?? [9]))).toBeLessThan(1e-5);
    const steps = alone?.tokens?.map(
      (byte, at) => Math.abs(byte - (inCrowd?.tokens?.[at] ?? 0)) % 255,
    );
    expect(Math.max(...(steps ?? [9]))).toBeLessThanOrEqual(1);
  });

  it('gives a vector per token of a query, with its word', async () => {
    const { words, tokens } = await encoder.encodeQuery(
      'Where is Zoë’s unbelievable tokenizer?',
      ONE,
    );
    expect(words).toEqual(['where', 'is', 'zoe', 's', 'unbelievable', 'tokenizer', 'tokenizer']);
    expect(openTokenPack(tokens ?? Uint8Array.of())).toMatchObject({
      count: words.length,
      dimensions: 96,
    });
    const nothing = await encoder.encodeQuery('?!', ONE);
    expect([nothing.words, nothing.isKnown, nothing.emphasis]).toEqual([
      [],
      [],
      new Float32Array(),
    ]);
    expect(openTokenPack(nothing.tokens ?? Uint8Array.of())?.count).toBe(0);
  });

  it('says of each token of a query how much it counts, and whether its word is known', async () => {
    const { words, emphasis, isKnown } = await encoder.encodeQuery(
      'When did the Lizenzschlüssel change? 東京',
      ONE,
    );
    const known = words.filter((_, at) => isKnown[at]);
    expect(known).toEqual(['when', 'did', 'the', 'change']);
    expect(emphasis).toHaveLength(words.length);
    expect(emphasis.every((weight) => weight > 0 && weight < 10)).toBe(true);
    expect(new Set(emphasis).size).toBe(words.length);
  });

  it('reads a long text to its end, in bounded memory', async () => {
    const [long, short] = await encoder.encode([LONG.slice(-10_000), LONG.slice(0, 900)], ONE);
    expect(openTokenPack(long?.tokens ?? Uint8Array.of())?.count).toBe(512);
    expect(cosine(long?.vector ?? undefined, short?.vector ?? undefined)).toBeGreaterThan(0.9);
    const query = await encoder.encodeQuery('cat mat', ONE);
    const scores = await encoder.rerank(
      query,
      Float32Array.of(1, 1),
      [long?.tokens ?? null, short?.tokens ?? null],
      ONE,
    );
    expect(scores[0]).toBeGreaterThan((scores[1] ?? 1) + 0.2);
  });

  it('ranks by tokens, and reports what it cannot rank', async () => {
    const query = await encoder.encodeQuery('where does the cat sit?', ONE);
    const encoded = await encoder.encode([TAXES, CAT, KITTEN], ONE);
    const weights = Float32Array.from(query.words, (word) => (word === 'cat' ? 5 : 1));
    const memories = encoded.map(({ tokens }) => tokens);
    const scores = await encoder.rerank(query, weights, [...memories, null], ONE);
    const [taxes = 0, cat = 0, kitten = 0, none] = scores as number[];
    expect(cat).toBeGreaterThan(kitten);
    expect(kitten).toBeGreaterThan(taxes);
    expect(none).toBeNull();
    expect(await encoder.rerank({ ...query, tokens: null }, weights, memories, ONE)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('the model thread', () => {
  it('leaves the event loop free', async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns++;
      if (!isDone) setTimeout(turn, 1);
    };
    turn();
    await encoder.encode(
      Array.from({ length: 10 }, (_, at) => `${at} ${LONG.slice(0, 600)}`),
      ONE,
    );
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('serves queries before writes, and writes before background work that was queued earlier', async () => {
    const texts = Array.from({ length: 6 }, (_, at) => `${at} ${LONG.slice(0, 600)}`);
    const order: string[] = [];
    await Promise.all([
      encoder
        .encode(texts, { ...ONE, priority: 'background' })
        .then(() => order.push('background')),
      encoder.encode(texts, ONE).then(() => order.push('write')),
      encoder.encodeQuery(CAT, ONE).then(() => order.push('query')),
    ]);
    expect(order).toEqual(['query', 'write', 'background']);
  });

  it('lets texts wait between a query and its re-ranking, but not for long', async () => {
    const order: string[] = [];
    const [known] = await encoder.encode([CAT], ONE);
    const search = async () => {
      const query = await encoder.encodeQuery(KITTEN, { ...ONE, isReranked: true });
      const writing = encoder.encode([LONG.slice(0, 900)], ONE).then(() => order.push('write'));
      // As long as statements may take. The thread would have begun to read the text.
      await sleep(10);
      const weights = new Float32Array(query.words.length).fill(1);
      await encoder.rerank(query, weights, [known?.tokens ?? null], ONE);
      order.push('re-ranking');
      await writing;
    };
    // On a machine that stands still for a moment, the wait may end before the re-ranking begins.
    await expect
      .poll(async () => (await search(), order.splice(0)))
      .toEqual(['re-ranking', 'write']);
    await encoder.encodeQuery(KITTEN, { ...ONE, isReranked: true });
    expect(await encoder.encode([CAT], ONE)).toHaveLength(1);
  });

  it('alternates between the windows of two orgs, so that a short text never waits for a long one', async () => {
    const order: string[] = [];
    const ofOrg = (orgId: string, text: string) =>
      encoder.encode([text], { orgId }).then(() => order.push(orgId));
    await Promise.all([ofOrg('one', LONG), ofOrg('one', LONG), ofOrg('two', CAT)]);
    expect(order).toEqual(['two', 'one', 'one']);
  });

  it('reads at most two windows of a query, so that 2,000 marks cost no more than a question', async () => {
    const marks = await encoder.encodeQuery('a!'.repeat(1_000), ONE);
    expect(marks.words).toHaveLength(MAX_QUERY_TEXT_TOKENS / 2);
    const person = LONG.slice(0, 2_000);
    const asked = await encoder.encodeQuery(person, ONE);
    expect(asked.words.join('')).toBe(person.toLowerCase().replaceAll(/[^a-z]/g, ''));
  });

  it('refuses texts beyond the queue limit, and has room again afterwards', async () => {
    const limits = { ...QUEUE_LIMITS, write: { texts: 6, characters: 200 } };
    const small = another({ limits });
    const first = small.encode(['a', 'b'], ONE);
    await expect(small.encode(['c', 'd'], ONE)).rejects.toThrow(QueueFull);
    await expect(small.encode(['x'.repeat(99)], ONE)).rejects.toThrow(QueueFull);
    await expect(small.encodeQuery('there is room for a query', ONE)).resolves.toBeTruthy();
    await first;
    expect(await small.encode(['c', 'd', 'e'], ONE)).toHaveLength(3);
  });

  it('drops aborted texts', async () => {
    const gone = new AbortController();
    const work = Array.from({ length: 200 }, () => LONG.slice(0, 2_000));
    const encoding = encoder.encode(work, { ...ONE, signal: gone.signal });
    gone.abort(new Error('the caller left'));
    await expect(encoding).rejects.toThrow('the caller left');
    // All 200 would take 20 seconds.
    expect(await encoder.encode([CAT], ONE)).toHaveLength(1);
    await expect(encoder.encodeQuery(CAT, { ...ONE, signal: gone.signal })).rejects.toThrow(
      'the caller left',
    );
  });

  it('is restarted if it dies, and open calls are answered', async () => {
    const threads: Worker[] = [];
    const mortal = another({ onStart: (thread) => void threads.push(thread) });
    await mortal.warmUp();
    const encoding = mortal.encode([LONG.slice(0, 2_000), CAT], ONE);
    // A message that it does not know.
    threads[0]?.postMessage(null, []);
    const encoded = await encoding;
    expect(threads).toHaveLength(2);
    const [cat] = await vectorsOf([CAT]);
    expect(cosine(cat, encoded[1]?.vector ?? undefined)).toBeCloseTo(1, 5);
  });

  it('gives up on a text that has killed it twice', async () => {
    const started = (thread: Worker) => void thread.terminate();
    const dying = another({ onStart: started });
    expect(await dying.encode([CAT], ONE)).toEqual([{ vector: null, tokens: null }]);
    expect((await dying.encodeQuery(CAT, ONE)).vector).toBeNull();
    await expect(dying.warmUp()).rejects.toThrow('ended');
    expect(lines.join('')).toContain('could not encode texts');
  });

  it('reports at startup that the model cannot be loaded, and returns nothing later', async () => {
    const broken = another({ addon: 'node:path' });
    await expect(broken.warmUp()).rejects.toThrow('could not load');
    expect(await broken.encode([CAT], ONE)).toEqual([{ vector: null, tokens: null }]);
    const fresh = another({ addon: 'node:path' });
    expect(await fresh.encode([CAT], ONE)).toEqual([{ vector: null, tokens: null }]);
  });

  it('lets the process exit in the middle of a run', async () => {
    const program = `import(${JSON.stringify(ENCODER)}).then(async ({ createLocalEncoder }) => {
      const encoder = createLocalEncoder({ error() {}, warn() {} });
      await encoder.warmUp();
      void encoder.encode(Array.from({ length: 100 }, () => 'some words '.repeat(100)), { orgId: 'one' });
      setTimeout(() => process.exit(7), 100);
    });`;
    const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('ends when closed: running and later calls fail', async () => {
    const threads: Worker[] = [];
    const closing = another({ onStart: (thread) => void threads.push(thread) });
    const open = expect(closing.encode([LONG], ONE)).rejects.toThrow('closed');
    const ended = once(threads[0] as Worker, 'exit');
    await closing.close();
    await ended;
    await open;
    await expect(closing.encode([CAT], ONE)).rejects.toThrow('closed');
    await expect(closing.warmUp()).rejects.toThrow('closed');
    expect(threads).toHaveLength(1);
  });
});

describe('without the native addon', () => {
  it('a thread needed only for token vectors returns none, and keeps running', async () => {
    const threads: Worker[] = [];
    const onStart = (thread: Worker) => void threads.push(thread);
    const wasm = another({ addon: 'no-such-addon', isForTokens: true, onStart });
    const nothing = { vector: null, tokens: null };
    expect(await wasm.encodeQuery(CAT, ONE)).toEqual(NOT_ENCODED);
    expect(await wasm.encode([CAT, TAXES], ONE)).toEqual([nothing, nothing]);
    expect(threads).toHaveLength(1);
  });

  it('the WASM engine gives the same vectors, no token vectors, and one warning', async () => {
    lines.length = 0;
    const wasm = another({ addon: 'no-such-addon' });
    const texts = [CAT, 'Zoë’s café — unbelievable?', LONG.slice(0, 1_200)];
    const [theirs, ours] = await Promise.all([vectorsOf(texts, wasm), vectorsOf(texts)]);
    texts.forEach((_, at) => expect(cosine(theirs[at], ours[at])).toBeGreaterThan(0.9999));
    const query = await wasm.encodeQuery(CAT, ONE);
    expect(query).toMatchObject({ tokens: null, words: [] });
    expect(await wasm.rerank(query, Float32Array.of(), [Uint8Array.of(1, 96, 0, 0)], ONE)).toEqual([
      null,
    ]);
    expect(lines.filter((line) => line.includes('onnxruntime could not be loaded'))).toHaveLength(
      1,
    );
  });
});
