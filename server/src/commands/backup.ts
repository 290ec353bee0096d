import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { createStorage } from '../adapters/storage/create-storage.ts';
import { StorageUnavailable } from '../adapters/storage/storage.ts';
import { readArchive, writeArchive } from '../backup/archive.ts';
import { archiveText } from '../backup/archive-text.ts';
import { BackupError } from '../backup/backup-error.ts';
import type { FileTotals, Totals } from '../backup/create-backup.ts';
import { parseHeader } from '../backup/format.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { restoreFile, type RestoredFiles } from '../backup/restore-files.ts';
import { openTarget } from '../backup/target-file.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { parseSecretsKeys } from '../config/secrets-keys.ts';
import { useDatabase } from '../db/transactions/database.ts';
import { FolderLockedError } from '../db/engines/folder-lock.ts';
import { migrate } from '../db/migrating/migrate.ts';
import { fillDatabase, openDatabase } from '../db/engines/open.ts';
import type { Database } from '../db/types.ts';
import { sqlState } from '../db/transactions/violations.ts';
import { bytesOf } from './bytes-of.ts';
import { createProgressLine, type ProgressLine } from './progress.ts';
import { readOptions, UsageError } from './usage.ts';
import { errorCode } from '../core/error-code.ts';

/** Writes an archive of the whole database, and prints what is in it as one line of JSON. */
export async function runBackup(config: Config, log: Logger, args: string[]): Promise<void> {
  const { file, key } = await archiveOptions('to', args);
  if (file === '-' && process.stdout.isTTY) {
    throw new UsageError('--to -: an archive cannot be shown in a terminal; redirect the output');
  }
  const totals: Totals = {};
  const files: FileTotals = { count: 0, bytes: 0, missing: 0, damaged: [] };
  const storage = createStorage(config);
  const stopCleanly = exitOnSignals();
  const progress = createProgressLine();
  try {
    const source = await openSource(config, log).catch((error: unknown) => {
      throw explain(error, 'DATA_DIR');
    });
    await useDatabase(source, async (db) => {
      const target = await openTarget(file);
      const text = archiveText(db, {
        totals,
        files,
        source: bytesOf(storage),
        spoolFolder: tmpdir(),
        progress: showTable('Backing up', progress),
      });
      await writeArchive(text, target.stream, key);
      await target.complete();
    });
  } catch (error) {
    throw explain(error, `--to ${file}`);
  } finally {
    progress.end();
    stopCleanly();
    await storage.close();
  }
  tellOf(files);
  printTotals(totals, files, file === '-' ? process.stderr : process.stdout);
}

/** Fills an empty database from an archive, and prints what it holds now as one line of JSON. */
export async function runRestore(config: Config, log: Logger, args: string[]): Promise<void> {
  const { file, key } = await archiveOptions('from', args);
  const source = file === '-' ? process.stdin : createReadStream(file);
  const progress = createProgressLine();
  const storage = createStorage(config);
  const target = bytesOf(storage);
  const files: RestoredFiles = { count: 0, bytes: 0, kept: 0 };
  try {
    const lines = readArchive(source, key);
    const header = parseHeader((await lines.next()).value ?? undefined);
    const totals = await fillDatabase(config, log, async (db) => {
      const show = showTable('Restoring', progress);
      const restored = await restoreBackup(db, header, lines, show, async (section, next) => {
        await restoreFile(section, next, target, files);
        show('files', files.count);
      });
      // The archive may be older than this version.
      await migrate(db);
      return restored;
    });
    progress.end();
    if (files.kept > 0) say(`files that were there already: ${files.kept}`);
    printTotals(totals, files, process.stdout);
  } catch (error) {
    throw explain(error, `--from ${file}`);
  } finally {
    progress.end();
    source.destroy();
    await storage.close();
  }
}

async function archiveOptions(
  name: 'to' | 'from',
  args: string[],
): Promise<{ file: string; key: Buffer | undefined }> {
  const options = { [name]: { type: 'string' }, 'key-file': { type: 'string' } } as const;
  const { values } = readOptions({ args, options });
  const { [name]: file, 'key-file': keyFile } = values as Record<string, string | undefined>;
  if (!file) throw new UsageError(`--${name} is required: a file, or - for a pipe`);
  return { file, key: keyFile === undefined ? undefined : await readKey(keyFile) };
}

async function readKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw explain(error, '--key-file');
  });
  const keys = parseSecretsKeys([text.trim()]);
  if (keys) return keys[0];
  throw new BackupError(
    `--key-file ${file}: must contain 32 bytes as base64 or hex; create one with \`openssl rand -base64 32\``,
  );
}

async function openSource(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'db'))) {
    throw new ConfigError(
      'DATA_DIR',
      `${config.dataDir} has no database; there is nothing to back up`,
    );
  }
  try {
    return await openDatabase(config, log);
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error;
    return copyFromServer(config.dataDir, error);
  }
}

/** Whoever holds the lock is a server that offers copies, or a short command that does not. */
async function copyFromServer(dataDir: string, locked: FolderLockedError): Promise<Database> {
  const { CopyFailed, openLiveCopy } = await import('../db/engines/live-copy.ts');
  return openLiveCopy(dataDir).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED') throw locked;
    throw error instanceof CopyFailed ? new BackupError(error.message) : error;
  });
}

/** What is written aside is removed on exit, and a signal would end the process without one. */
function exitOnSignals(): () => void {
  const exit = () => process.exit(1);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, exit);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, exit);
  };
}

function showTable(verb: string, progress: ProgressLine) {
  return (table: string, rows: number) =>
    progress.show(`${verb}: ${table}, ${rows.toLocaleString('en')} rows`);
}

/** The same line after a backup and after its restore. */
function printTotals(
  tables: Totals,
  { count, bytes }: Pick<FileTotals, 'count' | 'bytes'>,
  stream: NodeJS.WritableStream,
): void {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  stream.write(`${JSON.stringify({ rows, tables, files: { count, bytes } })}\n`);
}

/** The backup has what is there, and restores it. */
function tellOf({ missing, damaged }: FileTotals): void {
  if (missing > 0) say(`files without bytes, deleted meanwhile or lost: ${missing}`);
  if (damaged.length === 0) return;
  const shown = damaged.slice(0, 10).join(', ');
  say(`files that no longer have the bytes that were uploaded: ${damaged.length} (${shown})`);
}

function say(text: string): void {
  process.stderr.write(`atrium: ${text}\n`);
}

const FILE_ERRORS = /^E(NOSPC|DQUOT|FBIG|IO|PIPE|ACCES|PERM|ROFS|NOENT|NOTDIR|ISDIR|EXIST)$/;

/** One line for what a disk, a pipe or a database refused. */
function explain(error: unknown, option: string): unknown {
  // The embedded engine throws objects of its own when it cannot go on.
  if (!(error instanceof Error)) {
    const detail = inspect(error, { breakLength: Infinity, depth: 1 }).replaceAll(/\s+/g, ' ');
    return new BackupError(`the embedded database stopped; is the disk full? (${detail})`);
  }
  if (error instanceof BackupError) return error;
  if (error instanceof StorageUnavailable) {
    return new BackupError(`the storage of files: ${error.message}`, { cause: error });
  }
  if (FILE_ERRORS.test(errorCode(error) ?? '')) {
    return new BackupError(`${option}: ${error.message}`, { cause: error });
  }
  if (error.message.startsWith('Connection terminated') || errorCode(error) === 'ECONNRESET') {
    return new BackupError('lost the connection to the database', { cause: error });
  }
  const reported = error.cause instanceof Error ? error.cause : error;
  const state = sqlState(reported);
  // Class 53 is a full disk or memory, 57 a database that was shut down; others explain themselves elsewhere.
  return state?.startsWith('53') || state?.startsWith('57')
    ? new BackupError(`the database stopped: ${reported.message}`, { cause: error })
    : error;
}
