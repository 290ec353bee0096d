import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createTextEncoder } from '../server/src/adapters/embeddings/create-text-encoder.ts';
import type { TextEncoder } from '../server/src/adapters/embeddings/text-encoder.ts';
import { median } from './load.ts';
import { questions, sentences } from './sentences.ts';
import { setEmbeddedStage, setStage, startAtrium, type Stage } from './stage.ts';

const ROUNDS = 2;
const TEXTS = 200;
const BATCH = 100;
/** Requests in flight. */
const SINGLES = 16;
const BATCHES = 3;
const SEARCHES = 60;
const TARGETS = { single: 0.5, batch: 0.8, search: 2 };

/** How fast memories are written, compared with the model alone, and what a search notices of it. */
export async function benchMemoryWrites(...engines: string[]): Promise<void> {
  const encoder = createTextEncoder({ kind: 'local' }, pino({ level: 'warn' }));
  await encoder.encode(paragraphs(BATCH), { orgId: 'bench' });
  for (const engine of engines.length > 0 ? engines : ['embedded', 'postgres']) {
    const stage = engine === 'embedded' ? await setEmbeddedStage() : await setStage();
    try {
      await benchEngine(engine, stage, encoder);
    } finally {
      await stage.drop();
    }
  }
  await encoder.close();
}

async function benchEngine(engine: string, stage: Stage, encoder: TextEncoder): Promise<void> {
  const atrium = await startAtrium(stage);
  try {
    const send = sender(atrium.origin, stage.keys);
    const single = (content: string) => send('/memory', memoryOf(content));
    const batch = (contents: string[]) =>
      send('/memory/batch', { items: contents.map((content) => memoryOf(content)) });
    await batch(paragraphs(BATCH));
    const rates = { alone: [] as number[], single: [] as number[], batch: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const texts = paragraphs(TEXTS);
      const encode = (some: string[]) => encoder.encode(some, { orgId: 'bench' });
      rates.alone.push(await rate(inBatches(texts), 1, encode));
      rates.single.push(await rate(inBatches(texts, 1), SINGLES, ([text = '']) => single(text)));
      rates.batch.push(await rate(inBatches(texts), BATCHES, batch));
    }
    const alone = median(rates.alone);
    const against = (kind: 'single' | 'batch') =>
      `${median(rates[kind]).toFixed(0)}/s, ratio ${(median(rates[kind]) / alone).toFixed(2)} (target: ${TARGETS[kind]})`;
    process.stdout.write(
      `memory-writes, ${engine}, texts of 40 words: encoder alone ${alone.toFixed(0)}/s; ${SINGLES} single writes at a time ${against('single')}; ${BATCHES} batches of ${BATCH} at a time ${against('batch')}\n`,
    );
    const search = (query: string) => send('/memory/search', { query });
    const idle = await searchTimes(search);
    // Nothing else can open the embedded engine's folder, so there an import is a stream of batches.
    const stop = engine === 'embedded' ? importByBatches(batch) : await importByCommand(stage);
    const busy = await searchTimes(search);
    await stop();
    process.stdout.write(
      `  search p95: idle ${idle.toFixed(1)} ms, during an import ${busy.toFixed(1)} ms, ratio ${(busy / idle).toFixed(2)} (target: at most ${TARGETS.search})\n`,
    );
  } finally {
    await atrium.stop();
  }
}

function paragraphs(count: number): string[] {
  return Array.from({ length: count }, () => sentences(3).join(' '));
}

function memoryOf(content: string) {
  return { content, visibility: 'ORG' };
}

function inBatches(texts: string[], size = BATCH): string[][] {
  return Array.from({ length: texts.length / size }, (_, at) =>
    texts.slice(at * size, (at + 1) * size),
  );
}

/** Texts per second, with this many pieces of work in flight. */
async function rate(
  pieces: string[][],
  parallel: number,
  work: (texts: string[]) => Promise<unknown>,
): Promise<number> {
  const waiting = [...pieces];
  const startedAt = performance.now();
  const lane = async () => {
    for (let piece; (piece = waiting.shift());) await work(piece);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return pieces.flat().length / ((performance.now() - startedAt) / 1000);
}

async function searchTimes(search: (query: string) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (const query of questions(SEARCHES + 5)) {
    const startedAt = performance.now();
    await search(query);
    times.push(performance.now() - startedAt);
  }
  // The first ones warm the caches, or come before the import is at full speed.
  const sorted = times.slice(5).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
}

function importByBatches(batch: (contents: string[]) => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController();
  const importing = (async () => {
    while (!stopping.signal.aborted) await batch(paragraphs(BATCH));
  })();
  return async () => {
    stopping.abort();
    await importing;
  };
}

/** `atrium memory import`, in its own process. */
async function importByCommand(stage: Stage): Promise<() => Promise<void>> {
  const file = join(tmpdir(), `atrium-bench-${process.pid}.jsonl`);
  const lines = paragraphs(20_000).map((content) => JSON.stringify(memoryOf(content)));
  await writeFile(file, lines.join('\n'));
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  const count = async () =>
    (await stage.db.query<{ count: number }>('SELECT count(*) FROM memories'))[0]?.count ?? 0;
  const before = await count();
  const child = spawn(process.execPath, [main, 'memory', 'import', file, '--org', stage.orgId], {
    env: { ...process.env, DATABASE_URL: stage.databaseUrl, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 50));
  return async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    await rm(file);
  };
}

function sender(origin: string, keys: string[]) {
  return async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}
