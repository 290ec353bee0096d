import type { Logger } from 'pino';
import { BackupError } from '../backup/backup-error.ts';
import { runAdmin } from './admin.ts';
import { runBackup, runRestore } from './backup.ts';
import { buildWeb } from './build-web.ts';
import { runDistribute } from './distribute.ts';
import { runDoctor } from './doctor.ts';
import { runJobs } from './jobs.ts';
import { runMemory } from './memory.ts';
import { runSecrets } from './secrets.ts';
import { openMigrated, serve, work } from './serve.ts';
import { InputError, refuseUnknown, USAGE, UsageError } from './usage.ts';
import { ConfigError, readConfig, type Config } from '../config/config.ts';
import { NotDistributable } from '../db/citus/distribute.ts';
import { EngineFailed } from '../db/engines/engine-failed.ts';
import { explainDatabaseError } from '../db/transactions/explain-error.ts';
import { FolderLockedError } from '../db/engines/folder-lock.ts';
import { TablesInUse } from '../db/migrating/lock-waits.ts';
import { SchemaMismatch } from '../db/migrating/migrate.ts';
import { createLogger } from '../core/logger.ts';

/** Resolves with the exit code, if it is not 0. */
type Command = (config: Config, log: Logger, args: string[]) => Promise<number | void>;

const COMMANDS: Record<string, Command> = {
  async serve(config, log, args) {
    refuseUnknown('serve', args, ['--no-worker', '--no-web']);
    await serve(config, log, {
      worker: !args.includes('--no-worker'),
      web: !args.includes('--no-web'),
    });
  },
  async worker(config, log, args) {
    refuseUnknown('worker', args);
    if (config.databaseUrl === undefined) {
      throw new UsageError(
        'worker needs DATABASE_URL; only one process can use the embedded database, and `serve` runs its jobs',
      );
    }
    await work(config, log);
  },
  async migrate(config, log, args) {
    refuseUnknown('migrate', args);
    const db = await openMigrated(config, log);
    await db.close();
    process.stdout.write('The database is up to date.\n');
  },
  async 'build-web'(_config, _log, args) {
    refuseUnknown('build-web', args);
    await buildWeb();
  },
  admin: runAdmin,
  backup: runBackup,
  restore: runRestore,
  distribute: runDistribute,
  doctor: runDoctor,
  jobs: runJobs,
  memory: runMemory,
  secrets: runSecrets,
};

const HELP = new Set(['help', '--help', '-h']);

/** Runs one command and returns the exit code. */
export async function runCommandLine([name = '', ...args]: string[]): Promise<number> {
  if (HELP.has(name) || args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    if (name === '') throw new UsageError('no command; to start a server, use `serve`');
    const command = COMMANDS[name];
    if (!command) throw new UsageError(`unknown command "${name}"`);
    const config = readConfig(process.env);
    const log = createLogger(config.logLevel);
    return (await command(config, log, args)) ?? 0;
  } catch (error) {
    process.stderr.write(explain(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

const ONE_LINE = [
  ConfigError,
  FolderLockedError,
  EngineFailed,
  InputError,
  SchemaMismatch,
  TablesInUse,
  NotDistributable,
  BackupError,
];

/** One line for problems that the user can fix, the whole error for others. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `atrium: ${error.message}\n\n${USAGE}`;
  if (ONE_LINE.some((kind) => error instanceof kind)) {
    return `atrium: ${(error as Error).message}\n`;
  }
  if (!(error instanceof Error)) return `atrium: ${String(error)}\n`;
  const explained = explainDatabaseError(error);
  if (explained !== undefined) return `atrium: ${explained}\n`;
  const cause = error.cause instanceof Error ? `\ncaused by: ${error.cause.message}` : '';
  return `atrium: ${error.stack ?? error.message}${cause}\n`;
}
