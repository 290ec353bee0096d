import pg from 'pg';
import { createPooledDatabase } from '../transactions/database.ts';
import { parseSqlTypes } from './sql-types.ts';
import type { Database } from '../types.ts';

/** For a new connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** For a free one. On a machine that is too busy, a late answer is better than a 500. */
const WAIT_TIMEOUT_MS = 20_000;
/** Of the pool's connections, for short reads. A pool of one has none to spare. */
const MAX_SHARED_CONNECTIONS = 2;

/**
 * PostgreSQL compiles statements that it expects to take long. That took a second for lists of a large organisation,
 * which then took 10 ms. Nobody waits for this: it travels with the first statement.
 */
const START_SESSION = 'SET jit = off';

export interface PostgresOptions {
  url: string;
  poolMax: number;
  onError: (error: Error) => void;
  /** Shorter, for tests. */
  connectTimeoutMs?: number;
}

export function openPostgres(options: PostgresOptions): Database {
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types: parseSqlTypes,
    application_name: 'atrium',
  };
  // The pool has one option for both times, and passes it on to new connections.
  class Client extends pg.Client {
    constructor() {
      super(config);
    }
  }
  const pool = new pg.Pool({ ...config, Client, connectionTimeoutMillis: WAIT_TIMEOUT_MS });
  // Connections break when PostgreSQL restarts. Without these listeners that would end the process.
  pool.on('error', options.onError);
  pool.on('connect', (client) => {
    client.on('error', () => {});
    void client.query(START_SESSION).catch(() => {});
  });
  const sharedConnections = Math.min(MAX_SHARED_CONNECTIONS, Math.floor(options.poolMax / 2));
  return {
    ...createPooledDatabase({ engine: 'postgres', pool, sharedConnections }),
    async runAlone(statement) {
      const client = new pg.Client(config);
      await client.connect();
      try {
        await client.query(statement);
      } finally {
        await client.end();
      }
    },
  };
}
