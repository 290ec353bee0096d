import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where the run on the embedded engine leaves them for `scripts/check-rows.ts`. */
const FOLDER = join(import.meta.dirname, '../../../../node_modules/.cache/atrium/statements');
const IS_RECORDED = process.env['TEST_ENGINE'] === 'embedded';

/** The first sends of a statement are enough to see the line that its rows are declared in. */
const MOST_SENDS = 3;
const MOST_FRAMES = 40;
/** A line of the server's code outside `db/`, which passes statements on. */
const SENDER = /server\/(src\/(?!db\/)[\w./-]+\.ts:\d+)/g;

const sends = new Map<string, number>();
let unwritten: { text: string; lines: string[] }[] = [];

/** Notes a statement, with the lines that it was sent from, innermost first. */
export function recordStatement(text: string): void {
  const earlier = sends.get(text) ?? 0;
  if (!IS_RECORDED || earlier >= MOST_SENDS) return;
  sends.set(text, earlier + 1);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MOST_FRAMES;
  const { stack = '' } = new Error('only for its stack');
  Error.stackTraceLimit = stackTraceLimit;
  const lines = [...stack.matchAll(SENDER)].map(([, line = '']) => line);
  if (lines.length > 0) unwritten.push({ text, lines });
}

/** Called after each test file. */
export function writeStatements(): void {
  if (unwritten.length === 0) return;
  const file = join(FOLDER, `${process.pid}-${process.env['VITEST_POOL_ID']}.jsonl`);
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(file, unwritten.map((each) => `${JSON.stringify(each)}\n`).join(''));
  unwritten = [];
}

/** Called before the first. */
export function forgetStatements(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}
