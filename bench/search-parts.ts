import type { Database, OuterTransaction, Queryable } from '../server/src/db/types.ts';
import { median } from './load.ts';

/** A statement of a search, recognised by something that only it has. */
export type Part = readonly [name: string, pattern: RegExp];

const MEMORY_PARTS: readonly Part[] = [
  ['counts of memories', /FROM memory_scopes/],
  ['counts of terms', /FROM memory_terms/],
  ['words', /term_weights FROM \(SELECT \*/],
  ['vectors, graph', /m\.visibility <> 'PRIVATE'/],
  ['vectors, scan', /AS distance/],
  ['reading and scoring', /"tokenVectors"/],
];

/** A database that adds up how long each kind of statement takes, and how long a search takes in all. */
export function timeParts(db: Database, some = MEMORY_PARTS): { db: Database; report(): string } {
  const times = new Map<string, number[]>(some.map(([name]) => [name, []]));
  const timed = (query: Queryable['query']): Queryable['query'] => {
    return async <Row extends object>(text: string, values?: readonly unknown[]) => {
      const started = performance.now();
      const rows = await query<Row>(text, values);
      const part = some.find(([, pattern]) => pattern.test(text))?.[0];
      if (part) times.get(part)?.push(performance.now() - started);
      return rows;
    };
  };
  const transaction = <T>(work: (tx: OuterTransaction) => Promise<T>) =>
    db.transaction((tx) => {
      tx.query = timed(tx.query.bind(tx));
      return work(tx);
    });
  return {
    db: { ...db, query: timed(db.query.bind(db)), transaction },
    report: () =>
      [...times]
        .filter(([, all]) => all.length > 0)
        .map(([name, all]) => `${name} ${median(all).toFixed(1)} ms`)
        .join(', '),
  };
}
