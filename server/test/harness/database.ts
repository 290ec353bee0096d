import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../../src/db/embedded.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { asAdmin, databaseUrl } from './global-setup.ts';

export const ENGINE = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'embedded';

export interface TestDatabase {
  db: Database;
  /** Where a server process of its own finds this database; PostgreSQL only. */
  url: string | undefined;
  drop(): Promise<void>;
}

/** A database of this test file's own, copied from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject('template');
  if (ENGINE === 'embedded') {
    const image = new Blob([await readFile(template)]);
    const engine = new PGlite({ extensions: EMBEDDED_EXTENSIONS, loadDataDir: image });
    const db = embeddedDatabase(engine);
    return { db, url: undefined, drop: () => db.close() };
  }
  const name = `atrium_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = databaseUrl(name);
  const db = openPostgres({ url, poolMax: 10, onError: () => {} });
  return {
    db,
    url,
    async drop() {
      await db.close();
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
