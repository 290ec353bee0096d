import type { FileHandle } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readLines } from '../core/read-lines.ts';
import type { Database } from '../db/types.ts';
import { openSpool } from '../disk/spool-file.ts';
import {
  backupFiles,
  backupRows,
  type FileSource,
  type FileTotals,
  type Progress,
  type Totals,
} from './create-backup.ts';
import type { StoredFile } from './store.ts';

export interface BackupParts {
  totals: Totals;
  files: FileTotals;
  source: FileSource;
  spoolFolder: string;
  progress: Progress;
}

/**
 * The text of a whole archive. The transaction ends with the rows: bytes take longer, and nothing can be vacuumed
 * while it is open. The list of files is on disk meanwhile, because there may be millions.
 */
export async function* archiveText(
  db: Database,
  parts: BackupParts,
): AsyncGenerator<string | Buffer> {
  const list = await openSpool(parts.spoolFolder);
  try {
    yield* rowsOf(db, parts, list);
    const { source, files, progress } = parts;
    for await (const text of backupFiles(read(list), source, files)) {
      progress('files', files.count);
      yield text;
    }
  } finally {
    await list.close();
  }
}

async function* rowsOf(
  db: Database,
  { totals, progress }: BackupParts,
  list: FileHandle,
): AsyncGenerator<Buffer> {
  const note = async (files: StoredFile[]) => {
    await list.write(files.map((file) => `${JSON.stringify(file)}\n`).join(''));
  };
  const text = new PassThrough();
  const written = db.transaction((tx) =>
    pipeline(Readable.from(backupRows(tx, totals, progress, note)), text),
  );
  written.catch((error: Error) => text.destroy(error));
  try {
    for await (const chunk of text) yield chunk as Buffer;
  } catch (error) {
    // It says what really failed.
    await written;
    throw error;
  }
  await written;
}

async function* read(list: FileHandle): AsyncGenerator<StoredFile> {
  const source = list.createReadStream({ start: 0, autoClose: false });
  for await (const { line } of readLines(source, 65_536)) {
    yield JSON.parse(line.toString()) as StoredFile;
  }
}
