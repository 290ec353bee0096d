import type { Queryable } from './types.ts';

const MAX_BATCH = 200;

/**
 * Requests that arrive during a lookup share the next one, so a busy server runs few queries. A request
 * never joins a lookup that began before it, so its result is current. `find` returns one result per key,
 * in order.
 */
export function createBatchedLookup<Key, Result>(
  find: (batch: Key[]) => Promise<Result[]>,
): (key: Key) => Promise<Result> {
  interface Waiting {
    key: Key;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const results = await find(batch.map(({ key }) => key));
        for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (key) => {
    const result = Promise.withResolvers<Result>();
    waiting.push({ key, ...result });
    // Requests that are read in the same turn of the event loop share a lookup.
    if (!isRunning) {
      isRunning = true;
      setImmediate(() => void run());
    }
    return result.promise;
  };
}

/** Answers the keys of a batch, in order. */
export type Find<Key, Result> = (db: Queryable, batch: Key[]) => Promise<Result[]>;

export interface Lookups {
  /** Calls `find` once for all keys that are asked for together. `find` has to be the same function each time. */
  get<Key, Result>(find: Find<Key, Result>, key: Key): Promise<Result>;
}

export function createLookups(db: Queryable): Lookups {
  const lookups = new Map<unknown, (key: never) => Promise<unknown>>();
  return {
    get<Key, Result>(find: Find<Key, Result>, key: Key) {
      let lookup = lookups.get(find) as ((key: Key) => Promise<Result>) | undefined;
      if (!lookup) {
        lookup = createBatchedLookup((batch: Key[]) => find(db, batch));
        lookups.set(find, lookup);
      }
      return lookup(key);
    },
  };
}
