/**
 * Compares what the server's code says about rows with what the database returns: names, types, and whether a
 * value can be null. The statements are those that the tests sent, so it runs after them (`npm test`).
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRows } from './row-types/compare-rows.ts';
import { findDeclaredRows, type DeclaredRows } from './row-types/declared-rows.ts';
import { openDescriber } from './row-types/described-columns.ts';

const ROOT = join(import.meta.dirname, '..');
const RECORDED = join(ROOT, 'node_modules/.cache/atrium/statements');

/** Columns that can be null, but not in what these statements return. */
const NEVER_NULL: Readonly<Record<string, string>> = {
  'src/features/billing/ledger/store.ts customerId': 'the statement sets it if it is null',
  'src/features/documents/store.ts messageId': 'the statement excludes null',
  'src/features/files/checking/store.ts storageKey': 'a file that is being checked has bytes',
  'src/features/memory/store.ts hash': 'it equals one of the given hashes',
  'src/features/messages/replies/store.ts id': 'it equals one of the given ids',
  'src/features/messages/replies/store.ts mention': 'the statement excludes null',
  'src/features/tasks/runs/store.ts taskId': 'the statement excludes null',
  'src/jobs/store.ts diedAt': 'only dead jobs are listed',
};
/** Files whose statements are not all sent through the database of a test. */
const NOT_SENT: Readonly<Record<string, string>> = {
  'src/bus/postgres-bus.ts': 'it listens on a connection of its own',
  'src/doctor/store.ts': 'the doctor opens a connection of its own',
  'src/features/memory/batches/store.ts': 'a start undoes what a crash left, on its own database',
  'src/features/memory/embedding/store.ts': 'memory-embedding.test.ts runs on PostgreSQL only',
  'src/features/memory/search/store.ts': 'only searches of more than 2,000 memories send all of it',
  'src/features/messages/inbound/store.ts': 'relay.test.ts runs on PostgreSQL only',
};
/** It reads through cursors and from views of the system, which can't be described. */
const NOT_COMPARED = 'src/backup/store.ts';

interface Sent {
  text: string;
  lines: string[];
}

const declared = findDeclaredRows(ROOT).filter(({ file }) => file !== NOT_COMPARED);
const texts = textsOf(declared, readSent());
const problems = new Set<string>();
const used = new Set<string>();
const describer = await openDescriber();
for (const rows of declared) {
  const place = `server/${rows.file}:${rows.line}`;
  const sent = texts.get(rows) ?? new Set();
  if (sent.size === 0 && !isExcused(NOT_SENT, rows.file)) {
    problems.add(`${place}: no test sends this statement`);
  }
  for (const text of sent) {
    for (const problem of await problemsOf(rows, text)) problems.add(`${place}: ${problem}`);
  }
}
await describer.close();
for (const excuse of [...Object.keys(NEVER_NULL), ...Object.keys(NOT_SENT)]) {
  if (!used.has(excuse)) problems.add(`${excuse} is excused in scripts/check-rows.ts for nothing`);
}

if (problems.size > 0) {
  process.stderr.write(`Rows and their types (docs/adr/0069-rows-and-their-types.md):\n`);
  process.stderr.write(`${[...problems].join('\n')}\n`);
  process.exitCode = 1;
}

async function problemsOf({ file, fields }: DeclaredRows, text: string): Promise<string[]> {
  try {
    const columns = (await describer.columnsOf(text)) ?? [];
    const isNeverNull = (name: string) => isExcused(NEVER_NULL, `${file} ${name}`);
    return [...compareRows(fields, columns, isNeverNull)];
  } catch (error) {
    return [`the database refuses this statement: ${(error as Error).message}`];
  }
}

function readSent(): Sent[] {
  return globSync('*.jsonl', { cwd: RECORDED })
    .flatMap((name) => readFileSync(join(RECORDED, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Sent);
}

/** The statements of each call: those with a line of it on their way to the database. */
function textsOf(
  all: readonly DeclaredRows[],
  sent: readonly Sent[],
): Map<DeclaredRows, Set<string>> {
  const byFile = Map.groupBy(all, ({ file }) => file);
  const found = new Map<DeclaredRows, Set<string>>();
  for (const { text, lines } of sent) {
    for (const each of lines) {
      const [file = '', line] = each.split(':');
      const call = byFile
        .get(file)
        ?.filter((rows) => rows.line <= Number(line) && Number(line) <= rows.lastLine)
        .toSorted((a, b) => b.line - a.line)[0];
      if (!call) continue;
      found.set(call, (found.get(call) ?? new Set()).add(text));
      break;
    }
  }
  return found;
}

function isExcused(excuses: Readonly<Record<string, string>>, name: string): boolean {
  if (!Object.hasOwn(excuses, name)) return false;
  used.add(name);
  return true;
}
