import pino, { type Logger } from 'pino';
import { runAdmin } from './commands/admin.ts';
import { openMigrated, serve, work } from './commands/serve.ts';
import { USAGE, UsageError } from './commands/usage.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { FolderLockedError } from './db/folder-lock.ts';

type Command = (config: Config, log: Logger, args: string[]) => Promise<void>;

const COMMANDS: Record<string, Command> = {
  async serve(config, log, args) {
    const unknown = args.find((arg) => arg !== '--no-worker');
    if (unknown !== undefined) throw new UsageError(`serve does not know "${unknown}"`);
    await serve(config, log, { worker: !args.includes('--no-worker') });
  },
  async worker(config, log) {
    if (config.databaseUrl === undefined) {
      throw new UsageError(
        'a worker of its own needs DATABASE_URL: the embedded database belongs to one process, and `serve` does its work',
      );
    }
    await work(config, log);
  },
  async migrate(config, log) {
    const db = await openMigrated(config, log);
    await db.close();
    process.stdout.write('The database is up to date.\n');
  },
  admin: runAdmin,
};

async function main([name = 'serve', ...args]: string[]): Promise<number> {
  try {
    const command = COMMANDS[name];
    if (!command) throw new UsageError(`there is no command "${name}"`);
    const config = readConfig(process.env);
    const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
    await command(config, log, args);
    return 0;
  } catch (error) {
    process.stderr.write(explain(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** What a person at the terminal needs: one line for what they can mend, the whole error for what they cannot. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `atrium: ${error.message}\n\n${USAGE}`;
  if (error instanceof ConfigError || error instanceof FolderLockedError)
    return `atrium: ${error.message}\n`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return 'atrium: PORT: another program listens there already; stop it, or set another PORT\n';
  if (code === 'EACCES') return `atrium: permission denied: ${(error as Error).message}\n`;
  if (code === 'ECONNREFUSED')
    return 'atrium: DATABASE_URL: nothing answers there; is PostgreSQL running?\n';
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause =
    error instanceof Error && error.cause instanceof Error
      ? `\ncaused by: ${error.cause.message}`
      : '';
  return `atrium: ${detail}${cause}\n`;
}

process.exitCode = await main(process.argv.slice(2));
