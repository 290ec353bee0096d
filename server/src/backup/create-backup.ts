import { createHash } from 'node:crypto';
import type { OuterTransaction } from '../db/types.ts';
import { readApplied } from '../db/migrating/migrate.ts';
import { BackupError } from './backup-error.ts';
import {
  BYTES,
  FORMAT,
  TableSum,
  type FileEnd,
  type Header,
  type Section,
  type TableTotals,
} from './format.ts';
import {
  hasSchema,
  listTables,
  readRows,
  readSequences,
  readStoredFiles,
  takeSnapshot,
  type StoredFile,
} from './store.ts';

/** Row counts and checksums by table. */
export type Totals = Record<string, TableTotals>;
export type Progress = (table: string, rows: number) => void;

/**
 * The text of an archive without the bytes of files: everything the database holds at this moment, whatever is
 * written meanwhile. `stored` gets the files whose bytes belong to it.
 */
export async function* backupRows(
  tx: OuterTransaction,
  totals: Totals,
  progress: Progress,
  stored: (files: StoredFile[]) => Promise<void>,
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
  if (totals['files']) for await (const files of readStoredFiles(tx)) await stored(files);
}

export interface FileTotals {
  count: number;
  bytes: number;
  /** Deleted while the backup ran. */
  missing: number;
  /** The keys of those that no longer have the bytes that were uploaded. */
  damaged: string[];
}

/** Where the bytes are. */
export interface FileSource {
  /** Undefined if they are gone. */
  sizeOf(key: string): Promise<number | undefined>;
  /** It throws BytesGone, also in between. */
  read(key: string): AsyncIterable<Uint8Array>;
}

export class BytesGone extends Error {}

/** The rest of the text. It reads one piece of one file at a time, long after the transaction. */
export async function* backupFiles(
  files: AsyncIterable<StoredFile>,
  source: FileSource,
  totals: FileTotals,
): AsyncGenerator<string> {
  for await (const file of files) {
    const { key, sha256 } = file;
    const size = await source.sizeOf(key);
    if (size === undefined) {
      totals.missing++;
      continue;
    }
    yield lineOf({ file: key, size, sha256 });
    const sum = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of source.read(key)) {
        sum.update(chunk);
        bytes += chunk.length;
        yield `${BYTES}${Buffer.from(chunk).toString('base64')}\n`;
      }
    } catch (error) {
      if (!(error instanceof BytesGone)) throw error;
      totals.missing++;
      yield lineOf({ missing: true });
      continue;
    }
    const found = sum.digest('hex');
    if (bytes !== file.size || (sha256 !== null && sha256 !== found)) totals.damaged.push(key);
    totals.count++;
    totals.bytes += bytes;
    yield lineOf({ bytes, sha256: found });
  }
  yield lineOf({ end: true });
}

function lineOf(value: Header | Section | TableTotals | FileEnd): string {
  return `${JSON.stringify(value)}\n`;
}
