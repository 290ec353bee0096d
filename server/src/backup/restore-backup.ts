import { lockSchema, migrateTo } from '../db/migrating/migrate.ts';
import type { Database, OuterTransaction, Transaction } from '../db/types.ts';
import { sqlState } from '../db/transactions/violations.ts';
import { BackupError, damaged } from './backup-error.ts';
import type { Progress, Totals } from './create-backup.ts';
import { isRow, parseSection, parseTotals, TableSum, type Header, type Section } from './format.ts';
import {
  completeTables,
  emptyTables,
  findAnyRelation,
  insertRows,
  listTables,
  prepareLoad,
  readRows,
  readSequences,
  setSequence,
  type Table,
} from './store.ts';

/** Bounds the memory of a batch of large rows. */
const BATCH_CHARACTERS = 1_000_000;
const BATCH_ROWS = 100;

/**
 * Fills an empty database with an archive in one transaction, and reads everything back before it commits.
 * The schema stays locked until then, so no server can start on half of the data. Bytes of files are stored
 * meanwhile. If it fails, they stay, and the next attempt finds them.
 */
export async function restoreBackup(
  db: Database,
  header: Header,
  lines: AsyncIterator<string, void>,
  progress: Progress,
  loadFile: (section: FileSection, next: NextLine) => Promise<void>,
): Promise<Totals> {
  return db.transaction(async (tx) => {
    await lockSchema(tx);
    const relation = await findAnyRelation(tx);
    if (relation !== undefined) {
      throw new BackupError(
        `the database is not empty: it already has "${relation}"; restore into an empty database`,
      );
    }
    await migrateTo(tx, header.migrations);
    await prepareLoad(tx);
    const tables = await listTables(tx);
    const rest = await emptyTables(tx, tables);
    const totals = await loadArchive(tx, tables, lines, progress, loadFile);
    await refuseMisfits('the rows contradict each other', () => completeTables(tx, rest));
    for (const table of tables) await verify(tx, table, totals, progress);
    return totals;
  });
}

export type NextLine = () => Promise<string | undefined>;
export type FileSection = Extract<Section, { file: string }>;

async function loadArchive(
  tx: OuterTransaction,
  tables: readonly Table[],
  lines: AsyncIterator<string, void>,
  progress: Progress,
  loadFile: (section: FileSection, next: NextLine) => Promise<void>,
): Promise<Totals> {
  const next = async () => (await lines.next()).value ?? undefined;
  const totals: Totals = {};
  for (;;) {
    const section = parseSection(await next());
    if ('end' in section) break;
    if ('file' in section) await loadFile(section, next);
    else if ('sequences' in section) await setSequences(tx, section.sequences);
    else {
      const table = tables.find(({ name }) => name === section.table);
      if (!table || table.name in totals || !hasColumns(table, section)) {
        throw damaged(`table "${section.table}" is not as its schema says`);
      }
      totals[table.name] = await loadTable(tx, table, next, progress);
    }
  }
  const missing = tables.find(({ name }) => !(name in totals));
  if (missing) throw damaged(`table "${missing.name}" is missing`);
  if ((await next()) !== undefined) throw damaged('something follows its end');
  return totals;
}

function hasColumns(table: Table, section: Extract<Section, { table: string }>): boolean {
  return table.columns.map(({ name }) => name).join() === section.columns.join();
}

async function loadTable(
  tx: OuterTransaction,
  table: Table,
  next: NextLine,
  progress: Progress,
): Promise<Totals[string]> {
  const sum = new TableSum();
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    const rows = batch;
    batch = [];
    characters = 0;
    if (rows.length === 0) return;
    await refuseMisfits(`a row of table "${table.name}" is invalid`, () =>
      insertRows(tx, table, rows),
    );
    progress(table.name, sum.rows);
  };
  let line = await next();
  for (; isRow(line); line = await next()) {
    sum.add(line);
    batch.push(line);
    characters += line.length;
    if (batch.length === BATCH_ROWS || characters > BATCH_CHARACTERS) await flush();
  }
  await flush();
  const totals = parseTotals(line);
  requireSame(table.name, totals, sum.totals());
  return totals;
}

async function setSequences(tx: Transaction, values: Record<string, number | null>): Promise<void> {
  const known = await readSequences(tx);
  if (Object.keys(known).join() !== Object.keys(values).join()) {
    throw damaged('its sequences are not as its schema says');
  }
  for (const [name, value] of Object.entries(values)) {
    if (value !== null) await setSequence(tx, name, value);
  }
}

/** Reads the rows that the database now holds: what it returns must be what was backed up. */
async function verify(
  tx: OuterTransaction,
  table: Table,
  totals: Totals,
  progress: Progress,
): Promise<void> {
  const sum = new TableSum();
  for await (const rows of readRows(tx, table, 'all')) {
    for (const row of rows) sum.add(row);
    progress(`checking ${table.name}`, sum.rows);
  }
  const expected = totals[table.name];
  if (expected) requireSame(table.name, expected, sum.totals());
}

function requireSame(table: string, expected: Totals[string], found: Totals[string]): void {
  if (found.rows !== expected.rows) {
    throw damaged(`table "${table}" has ${found.rows} rows instead of ${expected.rows}`);
  }
  if (found.checksum !== expected.checksum) {
    throw damaged(`the checksum of table "${table}" does not match`);
  }
}

/** Rows that the schema refuses (classes 22 and 23) were changed after the backup was made. */
async function refuseMisfits(problem: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (/^2[23]/.test(sqlState(error) ?? '')) throw damaged(problem);
    throw error;
  }
}
