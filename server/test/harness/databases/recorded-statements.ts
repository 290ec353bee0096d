import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getCallSites } from 'node:util';
import type { Queryable, Transaction } from '../../../src/db/types.ts';

/** Where the run on the embedded engine leaves them for `scripts/check-rows.ts`. */
const FOLDER = join(import.meta.dirname, '../../../../node_modules/.cache/atrium/statements');
/** Any code of the server but `db/`, which passes statements on. */
const SENDER = /server\/(src\/(?!db\/)[\w./-]+\.ts:\d+)/g;
const MOST_FRAMES = 40;

const known = new Set<string>();
let unwritten: { text: string; lines: string[] }[] = [];

/** The same database or transaction, which notes every statement with the lines that it is sent from. */
export function recordingStatements<T extends Queryable>(db: T): T {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const [first] = args;
        if (typeof first === 'string' && name !== 'script') record(first);
        if (name === 'transaction') {
          const work = first as (tx: Transaction) => unknown;
          args[0] = (tx: Transaction) => work(recordingStatements(tx));
        }
        return value.apply(target, args);
      };
    },
  });
}

/** Reading a stack is slow, so it is read once for each statement and place. */
function record(text: string): void {
  const places = getCallSites(12).filter(({ scriptName }) => /\/src\/(?!db\/)/.test(scriptName));
  const key = JSON.stringify([places.slice(0, 2), text]);
  if (known.has(key)) return;
  known.add(key);
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
