import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { pdfOf } from '../server/test/harness/stages/document-stage.ts';
import { LIBRARY, type WrittenDocument } from './documents/library.ts';
import { setAnyStage, startWorkingAtrium } from './stage.ts';

const Id = z.object({ data: z.object({ id: z.string() }) });
const Opened = z.object({ data: z.object({ id: z.string(), uploadUrl: z.string() }) });
const FileState = z.object({
  data: z.object({ text: z.string(), textReason: z.string().nullable() }),
});
const Text = z.object({ data: z.object({ text: z.string(), pages: z.int() }) });
const Matches = z.object({
  data: z.object({
    degraded: z.boolean(),
    items: z.array(
      z.object({
        document: z.object({ fileId: z.string() }),
        passage: z.object({ page: z.int() }),
      }),
    ),
  }),
});

const SHOWN = 5;
const WANTED = 0.85;

type Call = (method: string, path: string, body?: object | Buffer) => Promise<unknown>;

/** Asks 40 questions about 12 documents of our own, and prints how often the right page is among the first five. */
export async function benchDocuments(): Promise<void> {
  const stage = await setAnyStage();
  const { db, databaseUrl } = stage;
  const key = stage.keys[0] ?? '';
  if (databaseUrl === '') await db.close();
  const atrium = await startWorkingAtrium(stage, {});
  try {
    const call = caller(atrium.origin, key);
    const { data: project } = Id.parse(await call('POST', '/projects', { name: 'Library' }));
    const started = performance.now();
    const shelf = [];
    for (const document of LIBRARY) {
      const fileId = await upload(call, project.id, document);
      shelf.push({ document, fileId, pages: await readPages(call, fileId) });
    }
    const read = performance.now();
    await embedded(call);
    const pages = shelf.reduce((sum, { pages: some }) => sum + some.length, 0);
    process.stdout.write(
      `${shelf.length} documents, ${pages} pages: read in ${seconds(read - started)} s, embedded ${seconds(performance.now() - read)} s later\n`,
    );
    const byType = new Map<string, { asked: number; first: number; found: number }>();
    const times: number[] = [];
    for (const { document, fileId, pages: texts } of shelf) {
      const type = document.name.split('.').at(-1) ?? '';
      const counts = byType.get(type) ?? { asked: 0, first: 0, found: 0 };
      byType.set(type, counts);
      for (const { query, evidence } of document.questions) {
        const right = new Set(
          texts.flatMap((text, at) => (text.includes(evidence) ? [at + 1] : [])),
        );
        if (right.size === 0) throw new Error(`${document.name} does not say "${evidence}"`);
        const before = performance.now();
        const { data } = Matches.parse(
          await call('POST', '/documents/search', { query, limit: SHOWN }),
        );
        times.push(performance.now() - before);
        const places = data.items.map(
          (item) => item.document.fileId === fileId && right.has(item.passage.page),
        );
        counts.asked++;
        counts.first += places[0] ? 1 : 0;
        counts.found += places.includes(true) ? 1 : 0;
        if (!places.includes(true))
          process.stdout.write(`  missed in ${document.name}: ${query}\n`);
      }
    }
    report(byType, times);
  } finally {
    await atrium.stop();
    await stage.drop();
  }
}

function report(
  byType: ReadonlyMap<string, { asked: number; first: number; found: number }>,
  times: readonly number[],
): void {
  const all = { asked: 0, first: 0, found: 0 };
  for (const [type, counts] of byType) {
    for (const name of ['asked', 'first', 'found'] as const) all[name] += counts[name];
    print(type, counts);
  }
  print('all', all);
  const sorted = times.toSorted((a, b) => a - b);
  process.stdout.write(`a search: median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms\n`);
  if (all.found / all.asked < WANTED) throw new Error(`recall@${SHOWN} is below ${WANTED}`);
}

function print(
  type: string,
  { asked, first, found }: { asked: number; first: number; found: number },
) {
  const share = (some: number) => (some / asked).toFixed(2).replace(/^0/, '');
  process.stdout.write(
    `${type.padEnd(5)} ${String(asked).padStart(3)} questions: recall@1 ${share(first)}, recall@${SHOWN} ${share(found)}\n`,
  );
}

async function upload(call: Call, projectId: string, document: WrittenDocument): Promise<string> {
  const bytes = bytesOf(document);
  const body = { name: document.name, size: bytes.length };
  const { data } = Opened.parse(await call('POST', `/projects/${projectId}/files`, body));
  await call('PUT', new URL(data.uploadUrl).pathname.replace(/^\/api/, ''), bytes);
  for (;;) {
    const { text, textReason } = FileState.parse(await call('GET', `/files/${data.id}`)).data;
    if (text === 'READY') return data.id;
    if (text === 'FAILED' || text === 'EMPTY') throw new Error(`${document.name}: ${textReason}`);
    await sleep(100);
  }
}

function bytesOf({ name, sections }: WrittenDocument): Buffer {
  if (name.endsWith('.pdf')) {
    return pdfOf(
      sections.map(({ heading, text }) => `${heading}\n\n${wrap(text)}`.replaceAll('’', "'")),
    );
  }
  if (name.endsWith('.html')) {
    const parts = sections.map(({ heading, text }) => `<h2>${heading}</h2>\n<p>${text}</p>`);
    return Buffer.from(`<!doctype html>\n<html><body>\n${parts.join('\n')}\n</body></html>\n`);
  }
  if (name.endsWith('.csv')) return Buffer.from(sections.map(({ heading }) => heading).join('\n'));
  const mark = name.endsWith('.md') ? '# ' : '';
  return Buffer.from(
    sections.map(({ heading, text }) => `${mark}${heading}\n\n${text}\n`).join('\n'),
  );
}

/** Lines as a PDF has them. */
function wrap(text: string): string {
  return text.replaceAll(/(.{60,90}?) /g, '$1\n');
}

async function readPages(call: Call, fileId: string): Promise<string[]> {
  const texts: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data } = Text.parse(await call('GET', `/files/${fileId}/text?page=${page}`));
    pages = data.pages;
    texts.push(data.text.replaceAll(/\s+/g, ' '));
  }
  return texts;
}

/** A search tells nothing of it, so this waits until the scores stay the same. */
async function embedded(call: Call): Promise<void> {
  const ask = async () =>
    JSON.stringify(
      await call('POST', '/documents/search', { query: 'ship', limit: 50 }),
      (key, value) => (key === 'metadata' ? undefined : (value as unknown)),
    );
  for (let same = 0, last = ''; same < 4;) {
    const now = await ask();
    same = now === last ? same + 1 : 0;
    last = now;
    await sleep(1_000);
  }
}

function caller(origin: string, key: string): Call {
  return async (method, path, body) => {
    const isBytes = Buffer.isBuffer(body);
    const type = isBytes ? 'application/octet-stream' : 'application/json';
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) },
      ...(body && { body: (isBytes ? body : JSON.stringify(body)) as string }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
