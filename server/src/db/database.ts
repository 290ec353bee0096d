import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { createLanes } from './lanes.ts';
import { isRead, prepared } from './statement.ts';
import { runTransaction } from './transaction.ts';

/**
 * Something that runs SQL: the pool, or one open transaction. Statement texts are constants in
 * `store.ts` files; each is prepared once per connection under a name derived from its text.
 */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Opens a transaction, or joins the one this already is. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs after the commit, and never if there is none; at once where no transaction is open. Not to write. */
  afterCommit(effect: () => void): void;
}

export type ExplainFailure = (error: unknown) => Error | undefined;

export interface AtCommitOptions {
  /** May turn the statement's failure into what the caller should hear. */
  explain?: ExplainFailure;
  /** Goes behind the others: it locks a row that many wait for. */
  last?: boolean;
}

export interface Transaction extends Queryable {
  /**
   * Sends a last statement together with COMMIT, in one round trip. If it fails, nothing is committed.
   */
  atCommit(text: string, values: readonly unknown[], options?: AtCommitOptions): void;
  /** Runs statements without parameters, however long they take: a migration file, and its lock. */
  script(text: string): Promise<void>;
}

export interface Database extends Queryable {
  readonly engine: 'embedded' | 'postgres';
  close(): Promise<void>;
}

/** PostgreSQL's SQLSTATE of an error the database answered with; undefined for any other failure. */
export function sqlState(error: unknown): string | undefined {
  // Not by class: the embedded engine's driver has one of its own.
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export interface PooledDatabaseOptions {
  engine: Database['engine'];
  pool: pg.Pool;
  /** How many connections reads outside transactions share; 0: each takes one of the pool. */
  lanes: number;
  onClose?: () => Promise<void>;
}

export function createPooledDatabase(options: PooledDatabaseOptions): Database {
  const { engine, pool, onClose } = options;
  const lanes = options.lanes > 0 ? createLanes(pool, options.lanes) : undefined;

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      // This engine computes on this thread: the event loop goes round between any two who use it.
      if (engine === 'embedded') await setImmediate();
      return await work(client);
    } finally {
      // A failed statement leaves the connection usable; the pool itself drops one that is broken.
      client.release();
    }
  }

  return {
    engine,
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      if (lanes && isRead(text)) return lanes.query<Row>(text, values);
      const { rows } = await withClient((client) => client.query<Row>(prepared(text, values)));
      return rows;
    },
    transaction: (work) => withClient((client) => runTransaction(client, work)),
    afterCommit: (effect) => effect(),
    async close() {
      await lanes?.close();
      await pool.end();
      await onClose?.();
    },
  };
}
