import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { readArchive, writeArchive } from '../backup/archive.ts';
import { BackupError } from '../backup/backup-error.ts';
import { backupText, type Totals } from '../backup/create-backup.ts';
import { parseHeader } from '../backup/format.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { openTarget } from '../backup/target-file.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { parseSecretsKeys } from '../config/secrets-keys.ts';
import { useDatabase } from '../db/transactions/database.ts';
import { FolderLockedError } from '../db/engines/folder-lock.ts';
import { migrate } from '../db/migrating/migrate.ts';
import { fillDatabase, openDatabase } from '../db/engines/open.ts';
import type { Database } from '../db/types.ts';
import { sqlState } from '../db/transactions/violations.ts';
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
  const stopCleanly = exitOnSignals();
  const progress = createProgressLine();
  try {
    const source = await openSource(config, log).catch((error: unknown) => {
      throw explain(error, 'DATA_DIR');
    });
    await useDatabase(source, async (db) => {
      const target = await openTarget(file);
      await db.transaction((tx) =>
        writeArchive(backupText(tx, totals, showTable('Backing up', progress)), target.stream, key),
      );
      await target.complete();
    });
  } catch (error) {
    throw explain(error, `--to ${file}`);
  } finally {
    progress.end();
    stopCleanly();
  }
  printTotals(totals, file === '-' ? process.stderr : process.stdout);
}

/** Fills an empty database from an archive, and prints what it holds now as one line of JSON. */
export async function runRestore(config: Config, log: Logger, args: string[]): Promise<void> {
  const { file, key } = await archiveOptions('from', args);
  const source = file === '-' ? process.stdin : createReadStream(file);
  const progress = createProgressLine();
  try {
    const lines = readArchive(source, key);
    const header = parseHeader((await lines.next()).value ?? undefined);
    const totals = await fillDatabase(config, log, async (db) => {
      const restored = await restoreBackup(db, header, lines, showTable('Restoring', progress));
      // The archive may be older than this version.
      await migrate(db);
      return restored;
    });
    progress.end();
    printTotals(totals, process.stdout);
  } catch (error) {
    throw explain(error, `--from ${file}`);
  } finally {
    progress.end();
    source.destroy();
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

function printTotals(tables: Totals, stream: NodeJS.WritableStream): void {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  stream.write(`${JSON.stringify({ rows, tables })}\n`);
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
