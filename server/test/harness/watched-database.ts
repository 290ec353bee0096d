import type { Database, Queryable } from '../../src/db/types.ts';

export interface Watcher {
  /** After each statement outside a transaction or inside one. */
  queried?(text: string): void;
  opened?(): void;
  closed?(): void;
}

/** Hears of everything that is asked of this database from now on. */
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

/** Settles when the next caller was looked up: what changes from then on, the server has not seen. */
export function createCallerWatch(db: Database): () => Promise<void> {
  let looked = Promise.withResolvers<void>();
  watchDatabase(db, { queried: (text) => void (isCallerLookUp(text) && looked.resolve()) });
  return () => {
    looked = Promise.withResolvers();
    return looked.promise;
  };
}

export function isCallerLookUp(text: string): boolean {
  return /FROM api_keys k|JOIN web_sessions/.test(text);
}

function watched(query: Queryable['query'], watcher: Watcher): Queryable['query'] {
  return async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const rows = await query<Row>(text, values);
    watcher.queried?.(text);
    return rows;
  };
}
