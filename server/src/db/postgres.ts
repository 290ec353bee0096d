import pg from 'pg';
import { createPooledDatabase, type Database } from './database.ts';
import { parseSqlTypes } from './sql-types.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Of the pool's connections; the others are for transactions. A pool of one has none to spare. */
const MAX_LANES = 2;

export interface PostgresOptions {
  url: string;
  poolMax: number;
  onError: (error: Error) => void;
}

export function openPostgres(options: PostgresOptions): Database {
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types: parseSqlTypes,
    application_name: 'atrium',
  };
  const pool = new pg.Pool(config);
  // Idle connections break when PostgreSQL restarts, busy ones too: without listeners either ends the process.
  pool.on('error', options.onError);
  pool.on('connect', (client) => client.on('error', () => {}));
  const lanes = Math.min(MAX_LANES, Math.floor(options.poolMax / 2));
  return createPooledDatabase({ engine: 'postgres', pool, lanes });
}
