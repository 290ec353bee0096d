import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { useDatabase } from './database.ts';
import type { Database } from './types.ts';
import { openPostgres } from './postgres.ts';

/** Opens PostgreSQL if `DATABASE_URL` is set, otherwise the embedded database in `DATA_DIR`. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const { openEmbedded } = await loadEmbedded();
    return openEmbedded(config.dataDir, (reason) => {
      log.fatal({ reason }, 'the embedded database failed; check the disk and start again');
      process.exit(1);
    }).catch(explainFolder);
  }
  return openPostgres({
    url: config.databaseUrl,
    poolMax: config.databasePoolMax,
    onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
  });
}

/** Lets `fill` write to an empty database. If it fails, an embedded database is not created at all. */
export async function fillDatabase<T>(
  config: Config,
  log: Logger,
  fill: (db: Database) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl === undefined) {
    const { createEmbedded } = await loadEmbedded();
    return createEmbedded(config.dataDir, fill).catch(explainFolder);
  }
  return useDatabase(await openDatabase(config, log), fill);
}

/** Loaded on demand: the engine is a large file, and not needed with PostgreSQL. */
function loadEmbedded() {
  return import('./embedded.ts');
}

function explainFolder(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOTDIR' && code !== 'EEXIST') throw error;
  throw new ConfigError('DATA_DIR', `cannot be used: ${(error as Error).message}`);
}
