import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/types.ts';
import { findByWords } from '../../src/features/memory/search/store.ts';
import { rankMessages } from '../../src/features/messages/search/ranking/store.ts';
import { readFound } from '../../src/features/messages/search/store.ts';
import { queryVector } from '../../src/text/words/lexical.ts';
import { createTestDatabase, ENGINE, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg } from '../harness/factories.ts';

/** More often than PostgreSQL makes a plan before it keeps one for all values. */
const RUNS = 8;

let database: TestDatabase;
let reader: { orgId: string; userId: string; role: 'OWNER'; projectIds: null; sessionId: null };

beforeAll(async () => {
  database = await createTestDatabase();
  const { orgId, owner } = await createTestOrg(database.db);
  reader = { orgId, userId: owner.userId, role: 'OWNER', projectIds: null, sessionId: null };
});
afterAll(() => database.drop());

const words = queryVector(new Map([['cat', 1]]));
const SEARCHES: Record<string, (tx: Transaction, nth: number) => Promise<unknown>> = {
  'SELECT m.position': (tx, nth) =>
    findByWords(tx, reader, { filter: {}, words }, [{ any: [nth], all: [] }], {
      most: 10,
      limit: 10,
    }),
  'WITH scopes': (tx, nth) =>
    rankMessages(tx, reader, { filter: {}, hashes: [nth], required: [], limit: 10 }),
  'SELECT m.id': (tx, nth) => readFound(tx, reader, [`c${nth}`]),
};

describe.runIf(ENGINE === 'postgres')('on PostgreSQL', () => {
  it.each(Object.entries(SEARCHES))(
    '%s…: a search has a plan for its own organisation, however often it was run',
    async (beginning, search) => {
      const plans = await database.db.transaction(async (tx) => {
        for (let nth = 0; nth < RUNS; nth++) await search(tx, nth);
        return tx.query(
          `SELECT custom_plans AS custom, generic_plans AS generic FROM pg_prepared_statements
           WHERE starts_with(statement, $1)`,
          [beginning],
        );
      });
      expect(plans).toEqual([{ custom: RUNS, generic: 0 }]);
    },
  );

  it('no statement is compiled, not even the first of a connection', async () => {
    const all = Array.from({ length: 3 }, () => database.db.query('SHOW jit'));
    for (const shown of await Promise.all(all)) expect(shown).toEqual([{ jit: 'off' }]);
  });
});
