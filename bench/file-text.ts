import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { createFileReader } from '../server/src/adapters/file-reader/create-file-reader.ts';
import { readConfig } from '../server/src/config/config.ts';
import { lines, makePdf, type PdfPage } from '../server/test/harness/files/pdf.ts';
import { sentences } from './sentences.ts';

const PAGES = 300;
const LINES = 45;
const RUNS = 3;
const run = promisify(execFile);

/**
 * The text of a PDF of 300 pages, with or without starting the process, beside pdftotext if it is installed: time,
 * and the share of its words. An argument is another PDF, whose words are those of pdftotext.
 */
export async function benchFileText(other?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-file-text-'));
  const reader = createFileReader(readConfig({}), pino({ level: 'warn' }));
  try {
    const { path, text } = other ? { path: other, text: '' } : await makeDocument(folder);
    const poppler = await withPoppler(path, join(folder, 'poppler.txt'));
    const expected = wordsOf(text || (poppler?.text ?? ''));
    if (poppler) report('pdftotext', poppler.ms, poppler.text, expected);
    else process.stdout.write('pdftotext is not installed\n');
    for (let times = 1; times <= RUNS; times++) {
      const read: string[] = [];
      const file = { path, name: 'bench.pdf', mediaType: 'application/pdf' };
      const started = performance.now();
      await reader.readText(file, async (page) => void read.push(page.text));
      const ms = performance.now() - started;
      report(`file reader, run ${times}`, ms, read.join('\n'), expected);
    }
  } finally {
    await reader.close();
    await rm(folder, { recursive: true });
  }
}

async function makeDocument(folder: string): Promise<{ path: string; text: string }> {
  const pages: PdfPage[] = [];
  const texts: string[] = [];
  for (let page = 1; page <= PAGES; page++) {
    const heading = { text: `Chapter ${page}`, size: 18, y: 800 };
    const body = sentences(LINES).map((sentence) => sentence.slice(0, 100));
    pages.push({ texts: [heading, ...lines(body)] });
    texts.push(heading.text, ...body);
  }
  const path = join(folder, 'bench.pdf');
  await writeFile(path, makePdf(pages));
  return { path, text: texts.join('\n') };
}

async function withPoppler(
  path: string,
  to: string,
): Promise<{ ms: number; text: string } | undefined> {
  const started = performance.now();
  try {
    await run('pdftotext', [path, to]);
  } catch {
    return undefined;
  }
  return { ms: performance.now() - started, text: await readFile(to, 'utf8') };
}

function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

function report(name: string, ms: number, text: string, expected: Map<string, number>): void {
  const found = wordsOf(text);
  let all = 0;
  let shared = 0;
  for (const [word, count] of expected) {
    all += count;
    shared += Math.min(count, found.get(word) ?? 0);
  }
  const share = ((100 * shared) / all).toFixed(2);
  process.stdout.write(`${name}: ${Math.round(ms)} ms, ${share} % of ${all} words\n`);
}
