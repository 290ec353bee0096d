import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { createFolderStorage } from '../../src/adapters/storage/folder-storage.ts';
import { createVault } from '../../src/adapters/secrets/vault.ts';
import { BackupError } from '../../src/backup/backup-error.ts';
import { archiveText } from '../../src/backup/archive-text.ts';
import { backupRows, type Totals } from '../../src/backup/create-backup.ts';
import { bytesOf } from '../../src/commands/bytes-of.ts';
import { parseHeader, TableSum } from '../../src/backup/format.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { LEFT_OUT } from '../../src/backup/store.ts';
import { migrate, readApplied, SchemaMismatch } from '../../src/db/migrating/migrate.ts';
import { dumpSchema } from '../../src/db/migrating/schema-dump.ts';
import type { Database } from '../../src/db/types.ts';
import { resealSecrets } from '../../src/app/stored-secrets.ts';
import { browserWith, signIn } from '../harness/clients/browser.ts';
import { createCaller } from '../harness/clients/client.ts';
import { ENGINE, type TestDatabase } from '../harness/databases/database.ts';
import { createEmptyDatabase, ENGINES } from '../harness/databases/empty-database.ts';
import { createDatabaseBefore, insertOrg } from '../harness/databases/old-database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { startTestServer } from '../harness/processes/server.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';
import { useFolder } from '../harness/use-folder.ts';

// Nothing answers there, so a name stays unresolved and is not refused.
const folder = useFolder();
const server = useTestServer({ env: { DNS_SERVERS: '127.0.0.1:9' } });
const BODY = 'Plain "quotes", \\back\\slash,\nnew line, \t tab, {curly}, \u2028, 😀 and ☃';
const SECRETS_KEY = Buffer.alloc(32, 7);

let org: TestOrg;
let session: string;
let cookie: string;
let lines: string[];
let totals: Totals;

beforeAll(async () => {
  org = await createTestOrg(server.db);
  const send = async (path: string, body: object, key = org.owner.key) => {
    const headers = { 'idempotency-key': randomUUID() };
    const reply = await server.call('POST', `/api/${path}`, { key, body, headers });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.json.data;
  };
  const { slug } = await send('projects', { name: 'Moved', access: 'MEMBERS' });
  const { id } = await send(`spaces/${slug}/sessions`, { name: 'Talk' });
  session = `spaces/${slug}/sessions/${id}`;
  const { id: parentMessageId } = await send(`${session}/messages`, { body: BODY });
  await send(`${session}/messages`, { body: 'A reply', parentMessageId });
  await send('memory', { content: 'The otter sleeps on its back.', visibility: 'ORG' });
  const { id: gone } = await send('memory', { content: 'A mistake.', visibility: 'ORG' });
  await server.call('DELETE', `/api/memory/${gone}`, { key: org.owner.key });
  await send(`org/${org.orgId}/invitations`, { email: 'new@example.com', role: 'MEMBER' });
  const endpoint = { endpointUrl: 'https://tools.example.com/mcp', authType: 'BEARER' };
  await send('mcp/servers', {
    ...endpoint,
    displayName: 'Tools',
    mentionSlug: 'tools',
    secret: 'canary-secret-4711',
  });
  await send('agents', { slug: 'helper', name: 'Helper', tools: ['remember'] });
  await server.call('GET', '/api/billing/credits', { key: org.owner.key });
  ({ cookie } = await signIn(server, org.member.email));
  ({ lines, totals } = await backUp(server.db));
}, 120_000);

async function backUp(db: Database): Promise<{ lines: string[]; totals: Totals }> {
  const found: Totals = {};
  const text: string[] = [];
  for await (const part of archiveText(db, {
    totals: found,
    files: { count: 0, bytes: 0, missing: 0, damaged: [] },
    source: bytesOf(createFolderStorage(join(folder.path, 'files'))),
    spoolFolder: join(folder.path, 'spool'),
    progress: () => {},
  })) {
    text.push(part.toString());
  }
  return { lines: text.join('').split('\n').slice(0, -1), totals: found };
}

async function restore(db: Database, archive: readonly string[]): Promise<Totals> {
  const rest = (async function* () {
    yield* archive.slice(1);
  })();
  const none = () => Promise.reject(new Error('there are no files'));
  return restoreBackup(db, parseHeader(archive[0]), rest, () => {}, none);
}

async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
  return rows.map(({ name }) => name);
}

it('a backup has every table of the schema, except those listed as left out', async () => {
  const expected = (await tablesOf(server.db)).filter((name) => !LEFT_OUT.includes(name));
  expect(Object.keys(totals).toSorted()).toEqual(expected);
  const tables = ['messages', 'memories', 'mcp_servers', 'agents', 'mention_names', 'jobs'];
  for (const table of [...tables, 'ledger_entries']) {
    expect(totals[table]?.rows, table).toBeGreaterThan(0);
  }
  expect(lines.join('\n')).not.toContain('canary-secret-4711');
});

it('expired idempotency records are not in it; live ones and jobs are', async () => {
  const before = totals['idempotency_keys']?.rows ?? 0;
  const age = (hours: number) =>
    server.db.query(
      `UPDATE idempotency_keys SET created_at = now() - make_interval(hours => $2)
       WHERE org_id = $1 AND scope_hash = (SELECT scope_hash FROM idempotency_keys WHERE org_id = $1
         ORDER BY scope_hash LIMIT 1)`,
      [org.orgId, hours],
    );
  await age(25);
  const { totals: later } = await backUp(server.db);
  expect(later['idempotency_keys']?.rows).toBe(before - 1);
  expect(later['jobs']).toEqual(totals['jobs']);
});

describe.each(ENGINES)('restored into an empty database, %s', (engine) => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await createEmptyDatabase(engine);
  });
  afterAll(() => target.drop());

  it('holds the same rows, schema and sequences, as its own backup proves', async () => {
    expect(await restore(target.db, lines)).toEqual(totals);
    const again = await backUp(target.db);
    expect(again.totals).toEqual(totals);
    expect(again.lines.at(-2)).toBe(lines.at(-2));
    const schema = await readFile(new URL('../../src/db/schema.sql', import.meta.url), 'utf8');
    expect(await dumpSchema(target.db)).toBe(schema);
    expect(await migrate(target.db)).toEqual({ applied: [] });
  });

  it('serves as before: keys, cookies, search, secrets, agents, payments, and new rows after the old', async () => {
    const moved = await startTestServer({ shared: target, worker: true });
    try {
      const call = createCaller(moved.origin);
      const { key } = org.owner;
      const path = `/api/${session}/messages`;
      const page = async (origin: string) =>
        (await createCaller(origin)('GET', path, { key })).json.data;
      expect(await page(moved.origin)).toEqual(await page(server.origin));
      const posted = await call('POST', path, { key, body: { body: 'Here now' } });
      const positions = await target.db.query(
        'SELECT position FROM messages WHERE org_id = $1 ORDER BY position',
        [org.orgId],
      );
      expect([posted.status, positions.length]).toEqual([201, 3]);
      const query = { query: 'Which animal sleeps on its back?' };
      const found = await call('POST', '/api/memory/search', { key, body: query });
      expect(JSON.stringify(found.json.data.items[0])).toContain('The otter sleeps on its back.');
      expect(found.json.data.degraded).toBe(false);
      expect((await browserWith(moved, cookie).call('GET', '/api/me')).status).toBe(200);
      expect(await resealSecrets(target.db, createVault([SECRETS_KEY]))).toMatchObject({
        current: 1,
        unreadable: 0,
      });
      const made = await call('POST', '/api/projects', { key, body: { name: 'After the move' } });
      expect(made.status, made.text).toBe(201);
      const list = await call('GET', '/api/projects', { key });
      const names = list.json.data.items.map(({ name }: { name: string }) => name);
      expect(names).toEqual(['After the move', 'Moved']);
      const question = { body: '@recall which animal sleeps on its back?' };
      expect((await call('POST', path, { key, body: question })).status).toBe(201);
      await expect
        .poll(async () =>
          (await page(moved.origin)).items.map(({ body }: { body: string }) => body),
        )
        .toContainEqual(expect.stringContaining('The otter sleeps on its back.'));
      const bought = await call('POST', '/api/billing/checkout', { key, body: { plan: 'pro' } });
      expect(bought.status, bought.text).toBe(200);
    } finally {
      await moved.stop();
    }
  });

  it('cannot be restored over', async () => {
    const failure = restore(target.db, lines);
    await expect(failure).rejects.toThrow(/is not empty: it already has "agents"/);
    await expect(failure).rejects.toThrow(BackupError);
  });
});

const OLD_ROWS = `
  INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
    VALUES ('corg', 'p', 'p', 'Old', '{}', 'ORG', 'ada');
  INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id, last_position)
    VALUES ('corg', 's', 'p', 'Talk', '{}', 'ada', 2);
  INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions, status,
      citations, tool_calls, created_at)
    SELECT 'corg', 'm' || n, 's', n, 'USER', 'ada', 'Plain ' || n, '{}', 'COMPLETED', '[]', '[]', now()
    FROM generate_series(1, 2) AS n;
  INSERT INTO jobs (kind, payload, run_at) VALUES ('mail', '{}', now())`;

/** It has few migrations, which each restore applies again. */
describe('an archive of an older release', () => {
  let target: TestDatabase;
  let old: string[];
  beforeAll(async () => {
    target = await createEmptyDatabase(ENGINE);
    const earlier = await createDatabaseBefore('0004');
    await insertOrg(earlier.db, 'corg', [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }]);
    await earlier.db.transaction((tx) => tx.script(OLD_ROWS));
    old = (await backUp(earlier.db)).lines;
    await earlier.drop();
  });
  afterAll(() => target.drop());

  const at = (start: string) => old.findIndex((line) => line.startsWith(start));
  const table = (name: string) => at(`{"table":"${name}"`);
  const without = (index: number, count = 1) => old.toSpliced(index, count);
  const withLine = (index: number, line: string) => old.toSpliced(index, 1, line);
  const changedHeader = (change: (header: ReturnType<typeof parseHeader>) => void) => {
    const header = parseHeader(old[0]);
    change(header);
    return withLine(0, JSON.stringify(header));
  };
  /** As someone would change it who also corrects the totals. */
  const withRows = (name: string, change: (rows: string[]) => string[]) => {
    const start = table(name) + 1;
    const count = old.slice(start).findIndex((line) => !line.startsWith('['));
    const rows = change(old.slice(start, start + count));
    const sum = new TableSum();
    for (const row of rows) sum.add(row);
    return old.toSpliced(start, count + 1, ...rows, JSON.stringify(sum.totals()));
  };

  const cases: [string, () => string[], RegExp][] = [
    [
      'a changed row',
      () => old.map((line) => line.replace('Plain', 'Other')),
      /the checksum of table "messages" does not match/,
    ],
    [
      'a missing row',
      () => without(table('messages') + 1),
      /table "messages" has 1 rows instead of 2/,
    ],
    ['a missing table', () => without(table('reactions'), 2), /table "reactions" is missing/],
    [
      'a table twice',
      () =>
        old.toSpliced(
          table('reactions'),
          0,
          ...old.slice(table('reactions'), table('reactions') + 2),
        ),
      /table "reactions" is not as its schema says/,
    ],
    [
      'another table',
      () => withLine(table('reactions'), '{"table":"pg_authid","columns":["rolname"]}'),
      /table "pg_authid" is not as its schema says/,
    ],
    [
      'another column',
      () => withLine(table('reactions'), '{"table":"reactions","columns":["org_id"]}'),
      /table "reactions" is not as its schema says/,
    ],
    ['a cut end', () => old.slice(0, -1), /the end, is missing/],
    ['cut in a table', () => old.slice(0, table('messages') + 2), /not followed by its totals/],
    ['something after its end', () => [...old, '[]'], /something follows its end/],
    [
      'a row that breaks a foreign key',
      () => withRows('orgs', () => []),
      /the rows contradict each other/,
    ],
    [
      'a row that breaks a check',
      () => withRows('memberships', (rows) => rows.map((row) => row.replace('"OWNER"', '"KING"'))),
      /a row of table "memberships" is invalid/,
    ],
    [
      'a value of another type',
      () => withRows('messages', (rows) => rows.map(() => '["x","x","x","x"]')),
      /a row of table "messages" is invalid/,
    ],
    [
      'a row that is not JSON',
      () => withRows('messages', () => ['[;']),
      /a row of table "messages" is invalid/,
    ],
    [
      'a value that the database would spell differently',
      () => withRows('jobs', (rows) => rows.map((row) => row.replace('+00"', '+00:00"'))),
      /the checksum of table "jobs" does not match/,
    ],
    [
      'other sequences',
      () => withLine(old.length - 2, '{"sequences":{"x":1}}'),
      /its sequences are not as its schema says/,
    ],
    [
      'a newer release',
      () =>
        changedHeader(({ migrations }) =>
          migrations.push({ version: 9999, name: '9999_later', checksum: 'x' }),
        ),
      /the archive has migration 9999_later, which this version of Atrium does not know; restore it with a newer version/,
    ],
    [
      'a release of another origin',
      () =>
        changedHeader(({ migrations }) =>
          migrations.splice(0, 1, { version: 1, name: '0001_foundation', checksum: 'x' }),
        ),
      /made with another migration 0001_foundation/,
    ],
    [
      'the schema of an even older release',
      () => changedHeader(({ migrations }) => migrations.splice(2)),
      /is not as its schema says/,
    ],
  ];
  it.each(cases)(
    'with %s: is refused, and the database stays empty',
    async (_name, make, message) => {
      const failure = await restore(target.db, make()).catch((error: unknown) => error);
      expect(failure).toSatisfy((e) => e instanceof BackupError || e instanceof SchemaMismatch);
      expect((failure as Error).message).toMatch(message);
      expect((failure as Error).message).not.toContain('\n');
      expect(await tablesOf(target.db)).toEqual([]);
    },
  );

  it('is restored, and then migrated', async () => {
    const known = parseHeader(lines[0]).migrations;
    await restore(target.db, old);
    expect(await target.db.transaction(readApplied)).toEqual(known.slice(0, 3));
    await migrate(target.db);
    expect(await target.db.query('SELECT id, name FROM orgs')).toEqual([
      { id: 'corg', name: 'corg' },
    ]);
    expect(await target.db.query('SELECT body FROM messages ORDER BY position')).toEqual([
      { body: 'Plain 1' },
      { body: 'Plain 2' },
    ]);
    expect(await target.db.transaction(readApplied)).toEqual(known);
  });
});

it.runIf(ENGINE === 'postgres')(
  'a backup shows one moment, whatever is committed meanwhile',
  async () => {
    const before = (await backUp(server.db)).totals;
    const during: Totals = {};
    await server.db.transaction(async (tx) => {
      for await (const part of backupRows(
        tx,
        during,
        () => {},
        async () => {},
      )) {
        if (!part.startsWith('{"table":"ledger_entries"')) continue;
        // The audit entry belongs into a table that has been read, the Project into one that has not.
        const body = { name: 'Created meanwhile' };
        const made = await server.call('POST', '/api/projects', { key: org.owner.key, body });
        expect(made.status, made.text).toBe(201);
      }
    });
    expect({ ...during, api_keys: before['api_keys'] }).toEqual(before);
    const after = (await backUp(server.db)).totals;
    expect(after['projects']?.rows).toBe((before['projects']?.rows ?? 0) + 1);
    expect(after['audit_entries']?.rows).toBe((before['audit_entries']?.rows ?? 0) + 1);
  },
);
