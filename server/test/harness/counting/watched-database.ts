import type { Database, Queryable } from '../../../src/db/types.ts';

export interface Watcher {
  /** Called after each statement, inside or outside a transaction. */
  queried?(text: string): void;
  opened?(): void;
  closed?(): void;
}

/** Reports every statement and transaction on this database from now on. */
export function watchDatabase(db: Database, watcher: Watcher): void {
  db.query = watched(db.query.bind(db), watcher);
  db.sharedRead = watched(db.sharedRead.bind(db), watcher);
  const transaction = db.transaction.bind(db);
  db.transaction = (work) =>
    transaction(async (tx) => {
      // A transaction's shared reads go through its query.
      tx.query = watched(tx.query.bind(tx), watcher);
      watcher.opened?.();
      try {
        return await work(tx);
      } finally {
        watcher.closed?.();
      }
    });
}

/** Settles when the next caller has been looked up. The server has not seen later changes. */
export function createCallerWatch(db: Database): () => Promise<void> {
  let looked = Promise.withResolvers<void>();
  watchDatabase(db, { queried: (text) => void (isCallerLookup(text) && looked.resolve()) });
  return () => {
    looked = Promise.withResolvers();
    return looked.promise;
  };
}

export function isCallerLookup(text: string): boolean {
  return /FROM api_keys k|JOIN web_sessions/.test(text);
}

function watched(query: Queryable['query'], watcher: Watcher): Queryable['query'] {
  return async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const rows = await query<Row>(text, values);
    watcher.queried?.(text);
    return rows;
  };
}
