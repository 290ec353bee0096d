import type { ExplainFailure, Queryable, SharedReader, Transaction } from '../types.ts';

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

/** For the two that are given a transaction by a feature: query-with.ts, and batches of memories. */
export function outerOf(tx: Transaction): OuterTransaction {
  if (!('script' in tx)) throw new Error('this transaction has nothing but atCommit');
  return tx as OuterTransaction;
}
