import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../../../src/db/engines/embedded.ts';
import { openPostgres } from '../../../src/db/engines/postgres.ts';
import type { Database } from '../../../src/db/types.ts';
import { createCluster } from './citus.ts';
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
  const name = someName();
  await asAdmin(`CREATE DATABASE ${name}`);
  const db = openPostgres({ url: databaseUrl(name), poolMax: 10, onError: () => {} });
  return withDrop(name, db);
}

/** The same on all nodes of the Citus cluster, for `distribute`. */
export async function createEmptyCluster(): Promise<TestDatabase> {
  const name = someName();
  return withDrop(name, await createCluster(name));
}

const someName = () => `atrium_test_${randomBytes(6).toString('hex')}`;

function withDrop(name: string, db: Database): TestDatabase {
  return {
    db,
    url: databaseUrl(name),
    async drop() {
      await db.close();
      await dropDatabase(name);
    },
  };
}
