/**
 * Something that runs SQL: the database, or one open transaction. Statement texts are constants in `store.ts`
 * files. Each is prepared once per connection, under a name derived from its text. How a write travels is
 * explained in transactions/transaction.ts.
 */
export interface Queryable {
  readonly engine: 'embedded' | 'postgres';
  /** Reads. Outside a transaction, a statement that writes is a transaction of its own. */
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

/** Takes a connection with the first statement that is neither a shared read nor sent at commit. */
export interface Transaction extends Queryable {
  /**
   * Sends a statement with the commit, in one round trip. If it fails, nothing is committed. A transaction
   * that does nothing else before its commit is one packet.
   */
  atCommit(text: string, values: readonly unknown[], options?: AtCommitOptions): void;
}

/** Whose rows, and on which connection. Every context is one. */
export interface OrgDb {
  db: Queryable;
  orgId: string;
}

export interface OrgTransaction extends OrgDb {
  db: Transaction;
}

export interface AtCommitOptions {
  explain?: ExplainFailure;
  /** Gets the rows after the commit, before its effects. */
  returned?: (rows: readonly object[]) => void;
  /**
   * `first`: before the others, which are pointless if it fails. `last`: after the others, because it locks a
   * row that many wait for. Statements in the same place run in the order in which they were added.
   */
  order?: 'first' | 'last';
  /**
   * Name of the row lock it may wait for; `''` if none. If all statements of a transaction say so, and name one
   * row at most, it may be committed together with others. The statement that locks this row comes before any
   * other that names it. server/test/cost/locks.test.ts checks what is said here.
   */
  lock?: string;
  /**
   * What to send instead on Citus, which refuses a statement that changes two tables. Only the first of them
   * may return rows.
   */
  onCitus?: readonly Statement[];
}

/**
 * Turns a statement's failure into the error its caller should get; undefined leaves it as it is. The
 * transaction has ended by then, and `db` reads what it may need to know.
 */
export type ExplainFailure = (
  error: unknown,
  db: Queryable,
) => Error | undefined | Promise<Error | undefined>;

export interface Statement {
  text: string;
  values: readonly unknown[];
}

export type SharedReader = Pick<Queryable, 'sharedRead'>;

export interface Database extends Queryable {
  transaction<T>(work: (tx: OuterTransaction) => Promise<T>): Promise<T>;
  /** Runs a statement that can't be in a transaction, on its own connection and without a time limit. */
  runAlone?(statement: string): Promise<void>;
  /** The connections of this process, and how many wait for one. */
  load(): { connections: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** Work on the database itself, outside any transaction. */
export type DetachedWork = (db: Queryable) => Promise<void>;

/** A transaction with what only those need who open it for others, or change the database itself. */
export interface OuterTransaction extends Transaction {
  /**
   * For the rights of a request's caller: runs `check` when there is a connection, which may have taken a while,
   * and before BEGIN is sent.
   */
  atConnect(check: (on: SharedReader) => Promise<void>): void;
  /** For the lock of an idempotent request: sent together with BEGIN, unless everything is sent at commit. */
  atBegin(text: string, values: readonly unknown[], options?: { explain?: ExplainFailure }): void;
  /**
   * For batches on the embedded engine: runs `work` while this transaction has no connection yet. What it
   * writes is committed at once. `undo` runs if the transaction fails, but not after a crash.
   */
  beforehand(work: DetachedWork, undo: DetachedWork): Promise<void>;
  /** For migrations, backups and settings: runs statements without parameters or a time limit. */
  script(text: string): Promise<void>;
}
