import type { Logger } from 'pino';
import { ConfigError, type Config } from '../../config/config.ts';
import { explainDataFolder } from '../../disk/data-folder.ts';
import { useDatabase } from '../transactions/database.ts';
import { explainConnecting } from '../transactions/explain-error.ts';
import type { Database } from '../types.ts';
import { openPostgres } from './postgres.ts';

/** Opens PostgreSQL if `DATABASE_URL` is set, otherwise the embedded database in `DATA_DIR`. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const { openEmbedded } = await loadEmbedded();
    return openEmbedded(config.dataDir, (reason) => {
      log.fatal({ reason }, 'the embedded database failed; check the disk and start again');
      process.exit(1);
    }).catch(explainFolder(config));
  }
  const db = openPostgres({
    url: config.databaseUrl,
    poolMax: config.databasePoolMax,
    onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
  });
  try {
    // Whatever fails here is about the connection, and not about what is done with it.
    await db.query('SELECT 1');
    return db;
  } catch (error) {
    await db.close();
    throw new ConfigError('DATABASE_URL', explainConnecting(error));
  }
}

/** Lets `fill` write to an empty database. If it fails, an embedded database is not created at all. */
export async function fillDatabase<T>(
  config: Config,
  log: Logger,
  fill: (db: Database) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl === undefined) {
    const { createEmbedded } = await loadEmbedded();
    return createEmbedded(config.dataDir, fill).catch(explainFolder(config));
  }
  return useDatabase(await openDatabase(config, log), fill);
}

/** Loaded on demand: the engine is a large file, and not needed with PostgreSQL. */
function loadEmbedded() {
  return import('./embedded.ts');
}

function explainFolder({ dataDir }: Config): (error: unknown) => never {
  return (error) => {
    throw explainDataFolder(error, dataDir);
  };
}
