import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import type { Database } from './types.ts';
import { openPostgres } from './postgres.ts';

/** Opens PostgreSQL if `DATABASE_URL` is set, otherwise the embedded database in `DATA_DIR`. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl === undefined) {
    // Loaded on demand: the engine is a large file, and not needed with PostgreSQL.
    const { openEmbedded } = await import('./embedded.ts');
    try {
      return await openEmbedded(config.dataDir, (reason) => {
        log.fatal({ reason }, 'the embedded database failed; check the disk and start again');
        process.exit(1);
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOTDIR' && code !== 'EEXIST')
        throw error;
      throw new ConfigError('DATA_DIR', `cannot be used: ${(error as Error).message}`);
    }
  }
  return openPostgres({
    url: config.databaseUrl,
    poolMax: config.databasePoolMax,
    onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
  });
}
