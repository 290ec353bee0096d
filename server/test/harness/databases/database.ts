import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';
import type { Database } from '../../../src/db/types.ts';
import {
  CLUSTER,
  EMBEDDED_EXTENSIONS,
  embeddedDatabase,
} from '../../../src/db/engines/embedded.ts';
import { openPostgres } from '../../../src/db/engines/postgres.ts';
import { keepSettings } from './citus.ts';
import { recordingStatements } from './recorded-statements.ts';
import { asAdmin, databaseUrl, dropDatabase, ON_CITUS, pooledUrl } from './postgres-servers.ts';

export const ENGINE = process.env['TEST_ENGINE'] === 'embedded' ? 'embedded' : 'postgres';

/** Whether a test can see that somebody waits for a row: on Citus, they wait on another node. */
export const SHOWS_WAITS = ENGINE === 'postgres' && !ON_CITUS;

export interface TestDatabase {
  db: Database;
  /** For a separate server process; PostgreSQL only. */
  url: string | undefined;
  /** The same without a pooler, as LISTEN needs it. */
  directUrl?: string;
  drop(): Promise<void>;
}

/** Runs until the process ends; only databases on it are closed. */
class LastingEngine extends PGlite {
  override async close(): Promise<void> {}
}

/** Unused engines: emptying one is much faster than starting another. */
const spareEngines: LastingEngine[] = [];

/** A database for this test file, copied from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return ENGINE === 'embedded' ? createEmbedded() : createPostgres();
}

async function createEmbedded(): Promise<TestDatabase> {
  const engine = spareEngines.pop() ?? (await startEngine());
  const db = recordingStatements(embeddedDatabase(engine));
  let isDropped = false;
  return {
    db,
    url: undefined,
    async drop() {
      if (isDropped) return;
      isDropped = true;
      await db.close();
      await empty(engine);
      spareEngines.push(engine);
    },
  };
}

async function startEngine(): Promise<LastingEngine> {
  const image = new Blob([await readFile(inject('template'))]);
  const engine = new LastingEngine({ extensions: EMBEDDED_EXTENSIONS, loadDataDir: image });
  await engine.waitReady;
  return engine;
}

/** A data folder with a migrated database, as a first start leaves it. */
export async function createTestFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const loadDataDir = new Blob([await readFile(inject('template'))]);
  const folder = join(dataDir, CLUSTER);
  const engine = new PGlite({ dataDir: folder, extensions: EMBEDDED_EXTENSIONS, loadDataDir });
  await engine.waitReady;
  await engine.close();
}

/** Resets an engine: removes all rows and the session's state. */
async function empty(engine: LastingEngine): Promise<void> {
  await engine.exec('ROLLBACK');
  await engine.exec('DISCARD ALL');
  const { rows } = await engine.query<{ tables: string }>(
    `SELECT string_agg(quote_ident(tablename), ', ') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  await engine.exec(`TRUNCATE ${rows[0]?.tables} RESTART IDENTITY`);
}

async function createPostgres(): Promise<TestDatabase> {
  const name = `atrium_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${inject('template')}`);
  const url = pooledUrl(name);
  if (ON_CITUS) await keepSettings(url);
  const db = openPostgres({ url, poolMax: 10, onError: () => {} });
  return {
    db,
    url,
    directUrl: databaseUrl(name),
    async drop() {
      await db.close();
      await dropDatabase(name);
    },
  };
}
