import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { createSessionTurns } from './session-turns.ts';
import { openSharedReads } from './shared-reads.ts';
import { prepared } from './statement.ts';
import { runTransaction } from './transaction.ts';
import type { Database } from './types.ts';

export interface PooledDatabaseOptions {
  engine: Database['engine'];
  pool: pg.Pool;
  /** How many of the pool's connections are for shared reads; 0 if there are none to spare. */
  sharedConnections: number;
  onClose?: () => Promise<void>;
}

export function createPooledDatabase(options: PooledDatabaseOptions): Database {
  const { engine, pool, sharedConnections, onClose } = options;
  const sharedReads = sharedConnections > 0 ? openSharedReads(pool, sharedConnections) : undefined;

  const takeTurn = engine === 'embedded' ? createSessionTurns() : undefined;

  async function withClient<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    isShortRead = false,
  ): Promise<T> {
    const endTurn = await takeTurn?.(isShortRead);
    try {
      const client = await pool.connect();
      try {
        // This engine computes on this thread: the event loop goes round between any two who use it.
        if (endTurn) await setImmediate();
        return await work(client);
      } finally {
        // A failed statement leaves the connection usable; the pool itself drops a broken one.
        client.release();
      }
    } finally {
      endTurn?.();
    }
  }

  async function query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
    isShortRead = false,
  ): Promise<Row[]> {
    const run = (client: pg.PoolClient) => client.query<Row>(prepared(text, values));
    const { rows } = await withClient(run, isShortRead);
    return rows;
  }

  return {
    engine,
    query: (text, values) => query(text, values),
    sharedRead: sharedReads
      ? (text, values) => sharedReads.query(text, values)
      : (text, values) => query(text, values, true),
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
