import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { createRandom } from '../../../test/harness/models/memory-world.ts';
import { HEAD_DIMENSIONS, vectorText } from './search-form.ts';
import { findByVector, type Walk } from './search/store.ts';
import type { Reader } from './visibility.ts';

const ROWS = 150;
const NEAREST = 10;
const DEFINITIONS = {
  embedded: `hnsw (((head)::vector(384)) vector_cosine_ops) WITH (m='16', ef_construction='64')`,
  postgres: `hnsw (head halfvec_cosine_ops) WITH (m='16', ef_construction='100')`,
};

const database = useTestDatabase();
let reader: Reader;
const { below } = createRandom(20_261_117);
const someVector = () =>
  Float32Array.from({ length: HEAD_DIMENSIONS }, () => (below(2001) - 1000) / 1000);

beforeAll(async () => {
  const { orgId, owner } = await createTestOrg(database.db);
  reader = { orgId, userId: owner.userId, role: 'OWNER', projectIds: null };
  await database.db.query(
    `INSERT INTO memories (org_id, id, owner_user_id, visibility, content, tags, terms, term_weights,
       embedding, embedding_model, created_at, updated_at)
     SELECT $1, at, $2, CASE WHEN at % 5 = 0 THEN 'PRIVATE' ELSE 'ORG' END, '', '{}', '{}',
       '{}/1000000000', vector::halfvec, 'small', now(), now()
     FROM unnest($3::text[]) WITH ORDINALITY rows (vector, at)`,
    [orgId, owner.userId, Array.from({ length: ROWS }, () => vectorText(someVector()))],
  );
});

async function definition(): Promise<string | undefined> {
  const [row] = await database.db.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE indexname = 'memories_by_vector'`,
  );
  return row?.indexdef;
}

/** Compared one by one, in the precision the rows have. */
async function compareAll(head: string): Promise<number[]> {
  const rows = await database.db.query<{ position: number }>(
    `SELECT position FROM memories WHERE org_id = $1 AND visibility <> 'PRIVATE'
     ORDER BY (head <=> $2::halfvec(384)) + 0 LIMIT ${NEAREST}`,
    [reader.orgId, head],
  );
  return rows.map(({ position }) => position);
}

/** In one transaction, because the number of index scans is read for the current one. */
function searchIndex(
  head: string,
  walk: Walk = { width: 100, rows: NEAREST },
): Promise<{ found: number[]; scans: number }> {
  return database.db.transaction(async (tx) => {
    const search = { filter: {}, model: 'small' };
    const vector = { head, whole: undefined };
    const found = await findByVector(tx, reader, search, vector, walk, NEAREST);
    const [row] = await tx.query<{ scans: number }>(
      `SELECT pg_stat_get_xact_numscans('memories_by_vector'::regclass) AS scans`,
    );
    return { found, scans: row?.scans ?? 0 };
  });
}

async function expectNearestFromIndex(): Promise<void> {
  expect(await definition()).toContain(DEFINITIONS[ENGINE]);
  for (let search = 0; search < 5; search++) {
    const head = vectorText(someVector(), HEAD_DIMENSIONS);
    const { found, scans } = await searchIndex(head);
    expect(scans).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set(await compareAll(head)));
  }
}

describe('the vector index', () => {
  it('has the precision that the engine computes fast, and gives the nearest shared rows', async () => {
    await expectNearestFromIndex();
  });

  it('gives the nearest of all that several passes met, however short each was', async () => {
    for (let search = 0; search < 5; search++) {
      const head = vectorText(someVector(), HEAD_DIMENSIONS);
      const { found } = await searchIndex(head, { width: NEAREST, rows: ROWS / 2 });
      expect(found).toEqual(await compareAll(head));
    }
  });

  it('is made again by the migration if an embedded database has the former one', async () => {
    const { db } = database;
    await db.query('DROP INDEX memories_by_vector');
    await db.query(
      `CREATE INDEX memories_by_vector ON memories USING ${DEFINITIONS.postgres} WHERE visibility <> 'PRIVATE'`,
    );
    const file = new URL('../../db/migrations/0017_memory_writes.sql', import.meta.url);
    const [change = ''] = /^DO [^]*?END \$\$;/m.exec(await readFile(file, 'utf8')) ?? [];
    await db.query(change);
    await expectNearestFromIndex();
  });
});
