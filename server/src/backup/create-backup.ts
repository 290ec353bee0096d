import type { OuterTransaction } from '../db/types.ts';
import { readApplied } from '../db/migrating/migrate.ts';
import { BackupError } from './backup-error.ts';
import { FORMAT, TableSum, type Header, type Section, type TableTotals } from './format.ts';
import { hasSchema, listTables, readRows, readSequences, takeSnapshot } from './store.ts';

/** Row counts and checksums by table. */
export type Totals = Record<string, TableTotals>;
export type Progress = (table: string, rows: number) => void;

/** The text of an archive: everything the database holds at this moment, whatever is written meanwhile. */
export async function* backupText(
  tx: OuterTransaction,
  totals: Totals,
  progress: Progress,
): AsyncGenerator<string> {
  await takeSnapshot(tx);
  if (!(await hasSchema(tx))) {
    throw new BackupError('this database was never used by Atrium; there is nothing to back up');
  }
  yield lineOf({
    atriumBackup: FORMAT,
    createdAt: new Date().toISOString(),
    migrations: await readApplied(tx),
  });
  for (const table of await listTables(tx)) {
    yield lineOf({ table: table.name, columns: table.columns.map(({ name }) => name) });
    const sum = new TableSum();
    for await (const rows of readRows(tx, table, 'kept')) {
      for (const row of rows) sum.add(row);
      progress(table.name, sum.rows);
      yield `${rows.join('\n')}\n`;
    }
    totals[table.name] = sum.totals();
    yield lineOf(sum.totals());
  }
  yield lineOf({ sequences: await readSequences(tx) });
  yield lineOf({ end: true });
}

function lineOf(value: Header | Section | TableTotals): string {
  return `${JSON.stringify(value)}\n`;
}
