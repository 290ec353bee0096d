import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../../../src/db/engines/embedded.ts';
import { openPostgres } from '../../../src/db/engines/postgres.ts';
import type { TestDatabase } from './database.ts';
import { asAdmin, databaseUrl, dropDatabase } from './postgres-servers.ts';

export type Engine = 'embedded' | 'postgres';

/** The engines that this machine has. */
export const ENGINES: Engine[] = process.env['TEST_DATABASE_URL']
  ? ['embedded', 'postgres']
  : ['embedded'];

/** A database without tables, whichever engine the test file runs on. */
export async function createEmptyDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'embedded') {
    const db = embeddedDatabase(await PGlite.create({ extensions: EMBEDDED_EXTENSIONS }));
    return { db, url: undefined, drop: () => db.close() };
  }
  const name = `atrium_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name}`);
  const url = databaseUrl(name);
  const db = openPostgres({ url, poolMax: 10, onError: () => {} });
  return {
    db,
    url,
    async drop() {
      await db.close();
      await dropDatabase(name);
    },
  };
}
