import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVault } from '../../src/adapters/secrets/vault.ts';
import { openEmbedded } from '../../src/db/engines/embedded.ts';
import type { Database } from '../../src/db/types.ts';
import { placeOf } from '../../src/features/mcp/connection.ts';
import {
  createTestDatabase,
  createTestFolder,
  ENGINE,
  type TestDatabase,
} from '../harness/databases/database.ts';
import { addStoredFile } from '../harness/stored-file.ts';
import { CANARY, diagnose, SECRETS_KEY } from '../harness/processes/diagnosis.ts';
import { createTestOrg } from '../harness/factories.ts';
import { freePort } from '../harness/processes/free-port.ts';

let dataDir: string;
beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'atrium-doctor-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function storeSecret(db: Database, key: Buffer): Promise<void> {
  const { orgId, owner } = await createTestOrg(db);
  const sealed = createVault([key]).seal(placeOf(orgId, 'server'), CANARY);
  await db.query(
    `INSERT INTO mcp_servers (org_id, id, display_name, mention_slug, endpoint_url, auth_type,
       sealed_secret, created_by_id, created_at)
     VALUES ($1, 'server', 'Tools', 'tools', 'https://tools.example.com', 'BEARER', $2, $3, now())`,
    [orgId, sealed, owner.userId],
  );
}

describe.runIf(ENGINE === 'embedded')('the embedded database', () => {
  it('is checked without changing it, and its secrets against the key', async () => {
    await createTestFolder(dataDir);
    const db = await openEmbedded(dataDir);
    await storeSecret(db, SECRETS_KEY);
    await db.close();
    const found = await diagnose({ DATA_DIR: dataDir });
    expect(found).toMatchObject({
      database: { status: 'ok', message: expect.stringContaining('embedded engine') },
      migrations: { status: 'ok' },
      pgvector: { status: 'ok' },
      clock: { status: 'ok' },
      'secrets key': { status: 'ok', message: 'decrypts all 1 stored secrets' },
    });
    // The file with the key got lost, and a start would make another.
    const { 'secrets key': lost } = await diagnose({ DATA_DIR: dataDir, SECRETS_KEY: undefined });
    expect(lost).toMatchObject({
      status: 'failed',
      message: 'cannot decrypt 1 of 1 stored secrets',
    });
  });
});

describe.runIf(ENGINE === 'postgres')('PostgreSQL', () => {
  let database: TestDatabase;
  let env: Record<string, string | undefined>;
  beforeEach(async () => {
    database = await createTestDatabase();
    env = { DATA_DIR: dataDir, DATABASE_URL: database.url };
  });
  afterEach(() => database.drop());

  /**
   * What lies in this schema hides the system's own, for connections made from now on. A pooler has some that
   * were made before.
   */
  async function pretend(statement: string): Promise<void> {
    await database.db.query('CREATE SCHEMA pretended');
    await database.db.query(statement);
    const name = new URL(String(database.url)).pathname.slice(1);
    await database.db.query(
      `ALTER DATABASE ${name} SET search_path = pretended, pg_catalog, public`,
    );
    env['DATABASE_URL'] = database.directUrl;
  }

  it('is fine', async () => {
    await storeSecret(database.db, SECRETS_KEY);
    expect(await diagnose(env)).toMatchObject({
      database: { status: 'ok', message: expect.stringMatching(/^PostgreSQL \d/) },
      migrations: { status: 'ok' },
      pgvector: { status: 'ok' },
      clock: { status: 'ok' },
      'secrets key': { status: 'ok' },
    });
  });

  it('refers to files that have to be in this storage: they are not if each process has a folder', async () => {
    const { orgId, owner } = await createTestOrg(database.db);
    await database.db.query(
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, 'p', 'p', 'Files', '{}', 'ORG', $2)`,
      [orgId, owner.userId],
    );
    const file = { orgId, projectId: 'p', uploadedById: owner.userId, mediaType: 'text/plain' };
    const elsewhere = await mkdtemp(join(tmpdir(), 'atrium-doctor-'));
    const add = (folder: string, name: string) =>
      addStoredFile(database.db, folder, { ...file, name, content: name, isShared: true });
    try {
      await add(dataDir, 'here.txt');
      expect(await diagnose(env)).toMatchObject({
        'stored files': { status: 'ok', message: 'the last 1 are there' },
      });
      await add(elsewhere, 'elsewhere.txt');
      expect(await diagnose(env)).toMatchObject({
        'stored files': {
          status: 'failed',
          message: '1 of the last 2 files are not in this storage',
        },
      });
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('that cannot be reached, or has no such database, fails with the cause', async () => {
    const url = new URL(String(database.url));
    url.pathname = '/nowhere';
    const missing = await diagnose({ ...env, DATABASE_URL: url.href });
    expect(missing['database']?.message).toBe('DATABASE_URL: database "nowhere" does not exist');
    const port = await freePort();
    const gone = await diagnose({
      ...env,
      DATABASE_URL: `postgres://u:${CANARY}@127.0.0.1:${port}/x`,
    });
    expect(gone['database']).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(gone['clock']?.status).toBe('skipped');
  });

  it('that is too old fails', async () => {
    await pretend(`CREATE FUNCTION pretended.current_setting(text) RETURNS text LANGUAGE sql
      AS $$ SELECT CASE $1 WHEN 'server_version_num' THEN '140012' ELSE '14.12' END $$`);
    const { database: found } = await diagnose(env);
    expect(found).toMatchObject({ status: 'failed', message: 'PostgreSQL 14.12 is too old' });
  });

  it('with pending migrations gets a warning, and with unknown ones fails', async () => {
    await database.db.query(
      'DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)',
    );
    const pending = await diagnose(env);
    expect(pending['migrations']).toMatchObject({ status: 'warning', message: '1 pending' });
    expect(pending['secrets key']?.status).toBe('skipped');
    await database.db.query(`INSERT INTO schema_migrations VALUES (9999, '9999_later', 'x')`);
    const { migrations } = await diagnose(env);
    expect(migrations).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('9999_later'),
    });
  });

  it('without any table has all migrations pending', async () => {
    await database.db.query('DROP TABLE schema_migrations');
    const { migrations } = await diagnose(env);
    expect(migrations).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^\d\d pending$/),
    });
  });

  it.each([
    [`SELECT '0.7.4'::text AS extversion, 'vector'::name AS extname`, /0\.7\.4 is too old/],
    [`SELECT '0.10.0'::text AS extversion, 'vector'::name AS extname`, undefined],
  ])('pgvector: %s', async (row, problem) => {
    await pretend(`CREATE VIEW pretended.pg_extension AS ${row}`);
    const { pgvector } = await diagnose(env);
    expect(pgvector).toMatchObject(
      problem ? { status: 'failed', message: expect.stringMatching(problem) } : { status: 'ok' },
    );
  });

  it('without pgvector fails', async () => {
    await pretend(
      `CREATE VIEW pretended.pg_extension AS SELECT * FROM pg_catalog.pg_extension WHERE false`,
    );
    await database.db.query(`CREATE VIEW pretended.pg_available_extensions
      AS SELECT * FROM pg_catalog.pg_available_extensions WHERE false`);
    const { pgvector } = await diagnose(env);
    expect(pgvector).toMatchObject({
      status: 'failed',
      message: 'is not installed',
      advice: 'Install pgvector 0.8 or later (Debian: postgresql-NN-pgvector).',
    });
  });

  it('whose clock is an hour ahead fails', async () => {
    await pretend(`CREATE FUNCTION pretended.clock_timestamp() RETURNS timestamptz LANGUAGE sql
      AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$`);
    const { clock } = await diagnose(env);
    expect(clock).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/by 3(600|599) seconds/),
    });
  });

  it('with secrets under another key, or without a key, fails', async () => {
    await storeSecret(database.db, SECRETS_KEY);
    await storeSecret(database.db, Buffer.alloc(32, 2));
    const { 'secrets key': other } = await diagnose(env);
    expect(other).toMatchObject({
      status: 'failed',
      message: 'cannot decrypt 1 of 2 stored secrets',
    });
    const { 'secrets key': none } = await diagnose({ ...env, SECRETS_KEY: undefined });
    expect(none).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('SECRETS_KEY: is required'),
    });
  });
});
