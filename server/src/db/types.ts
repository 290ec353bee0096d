/**
 * Something that runs SQL: the pool, or one open transaction. Statement texts are constants in
 * `store.ts` files. Each is prepared once per connection, under a name derived from its text.
 */
export interface Queryable {
  readonly engine: 'embedded' | 'postgres';
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * For a short read that every request needs: outside a transaction it shares a connection with others.
   * It must neither write, nor wait for a lock, nor take long: the reads behind it wait for it.
   */
  sharedRead<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Opens a transaction, or joins the one this already is. After a deadlock, `work` runs again. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs after the commit and never without one; at once if no transaction is open. It must not write. */
  afterCommit(effect: () => void): void;
}

export type SharedReader = Pick<Queryable, 'sharedRead'>;

/**
 * Turns a statement's failure into the error its caller should get; undefined leaves it as it is. The
 * transaction has ended by then, and `db` reads what it may need to know.
 */
export type ExplainFailure = (
  error: unknown,
  db: Queryable,
) => Error | undefined | Promise<Error | undefined>;

export interface AtBeginOptions {
  explain?: ExplainFailure;
}

export interface AtCommitOptions {
  explain?: ExplainFailure;
  /** Runs before the others, because they are in vain if it fails. */
  first?: boolean;
  /** Runs after the others, because it locks a row that many wait for. */
  last?: boolean;
  /** Gets the rows after the commit, before its effects. */
  returned?: (rows: readonly object[]) => void;
  /**
   * Where it may have to wait for others: a name for the rows that it locks, or '' if they are locked by
   * whoever has locked those of the other statements, or are new. If all statements of a transaction say
   * so, it may be committed with others, in the order of these names.
   */
  waitsFor?: string;
  /**
   * What to send instead as long as the connection may be one to Citus, which refuses a statement that changes
   * two tables. Only the first of them may return rows.
   */
  apart?: readonly Statement[];
}

export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Work on the database itself, outside any transaction. */
export type DetachedWork = (db: Queryable) => Promise<void>;

/** Takes a connection with the first statement that is neither a shared read nor sent at commit. */
export interface Transaction extends Queryable {
  /**
   * Runs `work` while this transaction has no connection yet. What it writes is committed at once. `undo`
   * runs if the transaction fails, but not after a crash.
   */
  beforehand(work: DetachedWork, undo: DetachedWork): Promise<void>;
  /** Runs `check` when there is a connection, which may have taken a while, and before BEGIN is sent. */
  atConnect(check: (on: SharedReader) => Promise<void>): void;
  /** Sends a statement together with BEGIN, unless everything is sent at commit. */
  atBegin(text: string, values: readonly unknown[], options?: AtBeginOptions): void;
  /** Sends a last statement together with COMMIT, in one round trip. If it fails, nothing is committed. */
  atCommit(text: string, values: readonly unknown[], options?: AtCommitOptions): void;
  /** Runs statements without parameters or a time limit: a migration file, and its lock. */
  script(text: string): Promise<void>;
}

export interface Database extends Queryable {
  /** Runs a statement that can't be in a transaction, on its own connection and without a time limit. */
  runAlone?(statement: string): Promise<void>;
  /** The connections of this process, and how many wait for one. */
  load(): { connections: number; idle: number; waiting: number };
  close(): Promise<void>;
}
