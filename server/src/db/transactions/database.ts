import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { queryOn } from './batch.ts';
import { createJointCommits, isJoint, type DeliverRows, type Packet } from './joint-commits.ts';
import { createSessionTurns } from '../engines/session-turns.ts';
import { openSharedReads } from './shared-reads.ts';
import { arePacketsAtomic, runTransaction } from './transaction.ts';
import type { Database } from '../types.ts';

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

  async function connect(owner?: unknown, isShortRead = false): Promise<pg.PoolClient> {
    const endTurn = await takeTurn?.(isShortRead, owner);
    if (!endTurn) return pool.connect();
    const client = await pool.connect().catch((error: unknown) => {
      endTurn();
      throw error;
    });
    const release = client.release.bind(client);
    client.release = (error) => {
      release(error);
      endTurn();
    };
    // This engine computes on this thread: the event loop goes round between any two who use it.
    await setImmediate();
    return client;
  }

  async function useConnection<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    owner: unknown,
    isShortRead = false,
  ): Promise<T> {
    const client = await connect(owner, isShortRead);
    try {
      return await work(client);
    } finally {
      // A failed statement leaves the connection usable; the pool itself drops a broken one.
      client.release();
    }
  }

  function query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
    isShortRead = false,
  ): Promise<Row[]> {
    return useConnection((client) => queryOn<Row>(client, text, values), values[0], isShortRead);
  }

  const commitJointly = createJointCommits({
    pool,
    connections: Math.max(1, pool.options.max - sharedConnections),
  });
  /** Once a connection has said that its packets are transactions. The embedded engine has one session. */
  let mayJoin = false;

  function runPacket(packet: Packet): Promise<DeliverRows> {
    if (mayJoin && isJoint(packet)) return commitJointly(packet);
    return useConnection(async (client) => {
      const deliverRows = await packet.commit(client);
      return () => {
        deliverRows();
        mayJoin ||= engine === 'postgres' && arePacketsAtomic(client);
      };
    }, packet.owner);
  }

  const database: Database = {
    engine,
    query: (text, values) => query(text, values),
    sharedRead: sharedReads
      ? (text, values) => sharedReads.query(text, values)
      : (text, values) => query(text, values, true),
    transaction: (work) => runTransaction({ database, connect, runPacket }, work),
    afterCommit: (effect) => effect(),
    load: () => ({
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      await sharedReads?.close();
      await pool.end();
      await onClose?.();
    },
  };
  return database;
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
