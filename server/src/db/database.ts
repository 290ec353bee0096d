import { createHash } from 'node:crypto';
import type pg from 'pg';

/**
 * Something that runs SQL: the pool, or one open transaction. Statement texts are constants in
 * `store.ts` files; each is prepared once per connection under a name derived from its text.
 */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Opens a transaction, or joins the one this already is. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export type ExplainFailure = (error: unknown) => Error | undefined;

export interface Transaction extends Queryable {
  /**
   * Sends a last statement together with COMMIT, in one round trip. If it fails, nothing is committed;
   * `explain` may turn the failure into what the caller should hear.
   */
  atCommit(text: string, values: readonly unknown[], explain?: ExplainFailure): void;
  /** Runs after the commit, and never if there is none: to wake workers, not to write. */
  afterCommit(effect: () => void): void;
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

export function createPooledDatabase(
  engine: Database['engine'],
  pool: pg.Pool,
  onClose: () => Promise<void> = async () => {},
): Database {
  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      // A failed statement leaves the connection usable; the pool itself drops one that is broken.
      client.release();
    }
  }

  return {
    engine,
    query: <Row extends object>(text: string, values: readonly unknown[] = []) =>
      withClient(async (client) => (await client.query<Row>(prepared(text, values))).rows),
    transaction: (work) => withClient((client) => runTransaction(client, work)),
    async close() {
      await pool.end();
      await onClose();
    },
  };
}

async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const tx = new OpenTransaction(client);
  try {
    const result = await work(tx);
    await tx.commit();
    tx.runEffects();
    return result;
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}

/**
 * Connections are pipelined, so BEGIN travels with the first statement and COMMIT with the last:
 * a transaction of n statements costs n round trips, not n + 2.
 */
class OpenTransaction implements Transaction {
  private readonly client: pg.PoolClient;
  private begun: Promise<unknown> | undefined;
  private lastStatements: {
    text: string;
    values: readonly unknown[];
    explain?: ExplainFailure | undefined;
  }[] = [];
  private effects: (() => void)[] = [];
  private finished = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const begun = this.begin();
    const [result] = await Promise.all([this.client.query<Row>(prepared(text, values)), begun]);
    return result.rows;
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  atCommit(text: string, values: readonly unknown[], explain?: ExplainFailure): void {
    this.lastStatements.push({ text, values, explain });
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  runEffects(): void {
    for (const effect of this.effects) effect();
  }

  async script(text: string): Promise<void> {
    await Promise.all([this.begin(), this.client.query(text)]);
  }

  async commit(): Promise<void> {
    if (!this.begun && this.lastStatements.length === 0) return;
    const begun = this.begin();
    const statements = this.lastStatements.map(async ({ text, values, explain }) => {
      try {
        await this.client.query(prepared(text, values));
      } catch (error) {
        throw explain?.(error) ?? error;
      }
    });
    this.finished = true;
    const committed = this.client.query('COMMIT');
    // Wait for all of them before looking at any: the connection goes back to the pool after this.
    const outcomes = await Promise.allSettled([begun, ...statements, committed]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    const { command } = await committed;
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
  }

  async rollback(): Promise<void> {
    if (!this.begun || this.finished) return;
    this.finished = true;
    // When the connection is gone the server has rolled back already, and the first error tells more.
    await this.client.query('ROLLBACK').catch(() => {});
  }

  /** Also gathers what is sent in this turn of the event loop into one packet: BEGIN is never alone. */
  private begin(): Promise<unknown> {
    gatherWrites(this.client);
    this.begun ??= this.client.query('BEGIN');
    return this.begun;
  }
}

interface Corkable {
  cork?(): void;
  uncork?(): void;
}

function gatherWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Corkable } }).connection;
  stream.cork?.();
  process.nextTick(() => stream.uncork?.());
}

/** No request waits longer than this for one statement. */
const QUERY_TIMEOUT_MS = 30_000;

const statementNames = new Map<string, string>();

function prepared(
  text: string,
  values: readonly unknown[],
): pg.QueryConfig & { query_timeout: number } {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    statementNames.set(text, name);
  }
  return { name, text, values: values as unknown[], query_timeout: QUERY_TIMEOUT_MS };
}
