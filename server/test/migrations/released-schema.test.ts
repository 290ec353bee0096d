import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrating/migrate.ts';
import type { Database } from '../../src/db/types.ts';
import { indexMessages } from '../../src/features/messages/search/index-job.ts';
import { createCaller } from '../harness/clients/client.ts';
import { ENGINE, type TestDatabase } from '../harness/databases/database.ts';
import { createEmptyDatabase } from '../harness/databases/empty-database.ts';
import { fillAsReleased } from '../harness/databases/old-database.ts';
import { LAST_RELEASE } from '../harness/databases/releases.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

interface Table {
  name: string;
  columns: string[];
}

let database: TestDatabase;
let server: TestServer;
let key: string;
let tables: Table[];
let before: Record<string, string[]>;

beforeAll(async () => {
  database = await createEmptyDatabase(ENGINE);
  ({ key } = await fillAsReleased(database.db));
  tables = await listTables(database.db);
  before = await readRows(database.db, tables);
  await migrate(database.db);
  server = await startTestServer({ shared: database });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

async function listTables(db: Database): Promise<Table[]> {
  return db.query<Table>(
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND NOT a.attisdropped AND c.relname <> 'schema_migrations'
     GROUP BY c.relname ORDER BY c.relname`,
  );
}

/** The columns that the release has, of every row. */
async function readRows(db: Database, of: Table[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of of) {
    const rows = await db.query<{ row: string }>(
      `SELECT json_build_array(${columns.map((column) => `${column}::text`).join(', ')})::text AS row
       FROM ${name} ORDER BY 1`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

describe(`a database of release ${LAST_RELEASE.version}, migrated`, () => {
  it('has rows in every table that the release has, and keeps all of them as they were', async () => {
    expect(tables.filter(({ name }) => before[name]?.length === 0)).toEqual([]);
    expect(await readRows(database.db, tables)).toEqual(before);
  });

  it('shows them through the API', async () => {
    const call = createCaller(server.origin);
    const read = async (path: string) => {
      const reply = await call('GET', `/api${path}`, { key });
      expect(reply.status, reply.text).toBe(200);
      return reply.json.data;
    };
    const { org } = await read('/me');
    const { items: projects } = await read('/projects');
    expect(projects).toMatchObject([{ name: 'Roses' }]);
    const space = `/spaces/${projects[0].slug}`;
    const { items: sessions } = await read(`${space}/sessions`);
    expect(sessions).toMatchObject([{ name: 'Spring', access: 'PROJECT' }]);
    const { items: messages } = await read(`${space}/sessions/${sessions[0].id}/messages`);
    expect(messages).toMatchObject([
      { authorKind: 'AGENT', inReplyToMessageId: messages[1].id },
      {
        body: '@recall when to prune?',
        reactions: [{ emoji: '🚀', count: 1 }],
        pendingReplies: [],
      },
    ]);
    expect((await read('/memory')).items).toMatchObject([
      { content: 'Roses are pruned in February.', visibility: 'ORG' },
    ]);
    expect((await read(`/projects/${projects[0].id}/members`)).items).toHaveLength(1);
    expect((await read(`/org/${org.id}/members`)).items).toHaveLength(1);
    expect((await read(`/org/${org.id}/invitations`)).items).toMatchObject([
      { email: 'cleo@example.com', status: 'PENDING' },
    ]);
    expect((await read('/mcp/servers')).items).toMatchObject([
      { mentionSlug: 'weather', hasSecret: true, projectIds: [projects[0].id] },
    ]);
    expect((await read('/billing/ledger')).items.length).toBeGreaterThan(0);
    expect((await read('/billing/usage?from=2026-11-16&to=2026-11-16')).items).toMatchObject([
      { model: 'recall', replies: 1 },
    ]);
    expect((await read('/keys')).items).toHaveLength(1);
    expect((await read(`/org/${org.id}/audit`)).items.length).toBeGreaterThan(3);
  });

  it('finds its messages once the job has indexed them', async () => {
    const search = async () => {
      const body = { query: 'prune' };
      const reply = await createCaller(server.origin)('POST', '/api/messages/search', {
        key,
        body,
      });
      return reply.json.data;
    };
    expect(await search()).toMatchObject({ items: [], degraded: true });
    const parts = { db: database.db, log: pino({ level: 'silent' }) };
    for (const { id } of await database.db.query<{ id: string }>('SELECT id FROM orgs')) {
      await indexMessages(parts, { orgId: id }, new AbortController().signal);
    }
    const found = await search();
    expect(found).toMatchObject({ degraded: false, items: [{}, {}] });
    expect(found.items.map((item: { message: { body: string } }) => item.message.body)).toContain(
      '@recall when to prune?',
    );
  });
});
