import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeTables } from '../../src/db/citus/citus.ts';
import { distribute, dropTriggers } from '../../src/db/citus/distribute.ts';
import { TABLE_PLACES } from '../../src/db/citus/table-places.ts';
import { lockSchema, migrate } from '../../src/db/migrating/migrate.ts';
import type { Database } from '../../src/db/types.ts';
import { createCaller } from '../harness/clients/client.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import type { TestDatabase } from '../harness/databases/database.ts';
import { createEmptyCluster } from '../harness/databases/empty-database.ts';
import { fillAsReleased, migrateUntil } from '../harness/databases/old-database.ts';
import { ON_CITUS } from '../harness/databases/postgres-servers.ts';
import { addDocument } from '../harness/documents.ts';
import { startTestServer } from '../harness/processes/server.ts';

/** The first schema that can be distributed is the one before this migration. */
const FIRST_AFTER = '0033';
const { unmanaged: _, ...places } = TABLE_PLACES;
const TABLES = Object.values(places).flat();

describe.runIf(ON_CITUS)('a database of the last release on a Citus cluster', () => {
  let database: TestDatabase;
  let key: string;
  beforeEach(async () => {
    database = await createEmptyCluster();
    ({ key } = await fillAsReleased(database.db));
  });
  afterEach(() => database?.drop());

  async function countRows(db: Database): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await db.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
      counts[table] = row?.rows ?? -1;
    }
    return counts;
  }

  /** A shared document, whose file the first message has. */
  async function attachDocument(db: Database): Promise<{ fileId: string }> {
    const [place] = await db.query<Record<'orgId' | 'projectId' | 'userId' | 'messageId', string>>(
      `SELECT p.org_id AS "orgId", p.id AS "projectId", p.created_by_id AS "userId", m.id AS "messageId"
       FROM projects p JOIN messages m ON m.org_id = p.org_id ORDER BY m.position LIMIT 1`,
    );
    const { orgId = '', projectId = '', userId = '', messageId = '' } = place ?? {};
    const { fileId, documentId } = await addDocument(db, orgId, {
      projectId,
      uploadedById: userId,
    });
    await db.query(
      `INSERT INTO passages (org_id, document_id, position, page, start_at, end_at, text, terms,
         term_weights, embedding, embedding_model)
       VALUES ($1, $2, 0, 1, 0, 5, 'Hello', '{1}', '{1:1}/1000000000', $3, 'model')`,
      [orgId, documentId, JSON.stringify(Array.from({ length: 1536 }, () => 1))],
    );
    await db.query(
      `INSERT INTO file_uses (org_id, file_id, used_by_id, message_id, position)
       VALUES ($1, $2, $3, $3, 1)`,
      [orgId, fileId, messageId],
    );
    await db.query('UPDATE messages SET has_files = true WHERE org_id = $1 AND id = $2', [
      orgId,
      messageId,
    ]);
    return { fileId };
  }

  it('is migrated and moved with all that it has, files and documents too, and is served', async () => {
    await migrate(database.db);
    const { fileId } = await attachDocument(database.db);
    const before = await countRows(database.db);
    const { placed } = await distribute(database.db, { shards: 4 });
    expect(Object.values(placed).flat().toSorted()).toEqual(TABLES.toSorted());
    expect(await countRows(database.db)).toEqual(before);
    const server = await startTestServer({ shared: database });
    try {
      const get = (path: string) => createCaller(server.origin)('GET', `/api${path}`, { key });
      const [{ slug }] = dataOf(await get('/projects')).items;
      const [session] = dataOf(await get(`/spaces/${slug}/sessions`)).items;
      const { items } = dataOf(await get(`/spaces/${slug}/sessions/${session.id}/messages`));
      const attached = items.flatMap((item: { attachments: object[] }) => item.attachments);
      expect(attached).toMatchObject([{ fileId, name: 'a.txt', status: 'READY' }]);
    } finally {
      await server.stop();
    }
  });

  it('takes every later migration after it was distributed', async () => {
    const { db } = database;
    await migrateUntil(db, FIRST_AFTER);
    const tables = await db.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const names = new Set(tables.map(({ name }) => name));
    await db.transaction(async (tx) => {
      await lockSchema(tx);
      await tx.script(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
      await tx.script('SET LOCAL citus.shard_count = 4');
      await dropTriggers(tx);
      await placeTables(
        tx,
        TABLES.filter((table) => names.has(table)),
      );
    });
    await migrate(db);
    const placed = await db.query<{ name: string }>(
      'SELECT logicalrelid::text AS name FROM pg_dist_partition',
    );
    expect(placed.map(({ name }) => name).toSorted()).toEqual(TABLES.toSorted());
    await attachDocument(db);
  });
});
