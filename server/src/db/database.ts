import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { queryOn } from './batch.ts';
import { openSharedReads } from './shared-reads.ts';
import { runTransaction } from './transaction.ts';
import type { Database } from './types.ts';

export interface PooledDatabaseOptions {
  engine: Database['engine'];
  pool: pg.Pool;
  /** How many of the pool's connections are for shared reads; 0: a shared read is a query like any other. */
  sharedConnections: number;
  onClose?: () => Promise<void>;
}

export function createPooledDatabase(options: PooledDatabaseOptions): Database {
  const { engine, pool, sharedConnections, onClose } = options;
  const sharedReads = sharedConnections > 0 ? openSharedReads(pool, sharedConnections) : undefined;

  async function connect(): Promise<pg.PoolClient> {
    const client = await pool.connect();
    // This engine computes on this thread: the event loop goes round between any two who use it.
    if (engine === 'embedded') await setImmediate();
    return client;
  }

  async function query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = await connect();
    try {
      return await queryOn<Row>(client, text, values);
    } finally {
      // A failed statement leaves the connection usable; the pool itself drops a broken one.
      client.release();
    }
  }

  const database: Database = {
    engine,
    query,
    sharedRead: sharedReads ? (text, values) => sharedReads.query(text, values) : query,
    transaction: (work) => runTransaction({ database, connect }, work),
    afterCommit: (effect) => effect(),
    async close() {
      await sharedReads?.close();
      await pool.end();
      await onClose?.();
    },
  };
  return database;
}
