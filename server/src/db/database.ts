import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { openSharedReads } from './shared-reads.ts';
import { prepared } from './statement.ts';
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

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      // This engine computes on this thread: the event loop goes round between any two who use it.
      if (engine === 'embedded') await setImmediate();
      return await work(client);
    } finally {
      // A failed statement leaves the connection usable; the pool itself drops a broken one.
      client.release();
    }
  }

  async function query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { rows } = await withClient((client) => client.query<Row>(prepared(text, values)));
    return rows;
  }

  return {
    engine,
    query,
    sharedRead: sharedReads ? (text, values) => sharedReads.query(text, values) : query,
    transaction: (work) => withClient((client) => runTransaction(client, work)),
    afterCommit: (effect) => effect(),
    async close() {
      await sharedReads?.close();
      await pool.end();
      await onClose?.();
    },
  };
}

/** Closes the database when the work is done. If it failed, that says more than a failure to close. */
export async function useDatabase<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work(db);
  } catch (error) {
    await db.close().catch(() => {});
    throw error;
  }
  await db.close();
  return result;
}
