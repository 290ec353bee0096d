import { isDeepStrictEqual } from 'node:util';
import type { Database, OuterTransaction, Queryable, SharedReader } from '../../db/types.ts';
import type { Again, Caller } from './auth.ts';

/** No handler runs on rights that were read longer ago: the key may have been revoked since. */
export const AUTHORITY_MAX_AGE_MS = 1_000;

/** The caller and their rights, as last read from the database for this request. */
export interface Authority {
  /**
   * The caller, read again on this connection if the last reading is too old. Refuses with 401 or 403,
   * as admission does. Returns the same object as long as nothing has changed.
   */
  current(on: SharedReader): Promise<Caller | undefined>;
  /** For slow work. It is repeated if the caller's rights have changed since, because it may show too much. */
  prepare<T>(db: Queryable, work: (caller: Caller | undefined) => Promise<T>): Promise<T>;
  /** For handlers. Their first transaction is held to the rights they started with. */
  run<T>(db: Database, work: (caller: Caller | undefined, db: Queryable) => Promise<T>): Promise<T>;
  /** The same in two parts, for a handler whose transaction somebody else opens. */
  restarting<T>(work: () => Promise<T>): Promise<T>;
  hold(tx: OuterTransaction): Promise<void>;
}

export interface AuthoritySource {
  identify(again?: Again): Promise<Caller | undefined>;
  /** Throws 403 if the caller may not do this. */
  check(caller: Caller): void;
  maxAgeMs: number;
}

/** Identifies the caller. Rights are checked later, after rate limits. */
export async function readAuthority(
  source: AuthoritySource,
): Promise<{ authority: Authority; caller: Caller | undefined }> {
  let readAt = performance.now();
  let caller = await source.identify();
  const admitted = caller;

  async function current(on: SharedReader): Promise<Caller | undefined> {
    const now = performance.now();
    if (now - readAt <= source.maxAgeMs) return caller;
    const found = await source.identify({ on, orgId: caller?.orgId ?? null });
    if (found) source.check(found);
    readAt = now;
    if (!isDeepStrictEqual(found, caller)) caller = found;
    return caller;
  }

  /** A transaction may wait for its connection, so it checks the rights when it opens and when it has one. */
  async function holdTo(before: Caller | undefined, tx: OuterTransaction): Promise<void> {
    const check = async (on: SharedReader) => {
      if ((await current(on)) !== before) throw new AuthorityChanged();
    };
    await check(tx);
    tx.atConnect(check);
  }

  return {
    caller: admitted,
    authority: {
      current,
      async prepare(db, work) {
        for (;;) {
          const before = await current(db);
          const result = await work(before);
          if ((await current(db)) === before) return result;
        }
      },
      run: (db, work) =>
        restarting(async () => {
          const before = await current(db);
          return work(
            before,
            holdFirstTransaction(db, (tx) => holdTo(before, tx)),
          );
        }),
      restarting,
      hold: async (tx) => holdTo(await current(tx), tx),
    },
  };
}

async function restarting<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AuthorityChanged)) throw error;
    }
  }
}

/** The caller may still call, but with different rights, so the handler starts over. */
class AuthorityChanged extends Error {}

/** Only the first transaction is held: a handler that has begun to write is not started over. */
function holdFirstTransaction(
  db: Database,
  hold: (tx: OuterTransaction) => Promise<void>,
): Queryable {
  let isFirst = true;
  return {
    engine: db.engine,
    query: (text, values) => db.query(text, values),
    sharedRead: (text, values) => db.sharedRead(text, values),
    afterCommit: (effect) => db.afterCommit(effect),
    transaction: (work) =>
      db.transaction(async (tx) => {
        if (isFirst) await hold(tx);
        isFirst = false;
        return work(tx);
      }),
  };
}
