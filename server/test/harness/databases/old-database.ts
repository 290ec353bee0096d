import { readFile } from 'node:fs/promises';
import {
  lockSchema,
  migrateTo,
  readApplied,
  readMigrations,
} from '../../../src/db/migrating/migrate.ts';
import type { Database } from '../../../src/db/types.ts';
import { ENGINE, type TestDatabase } from './database.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { LAST_RELEASE } from './releases.ts';

/** A database as it was before this migration. Its rows have to be inserted as SQL: the code is newer. */
export async function createDatabaseBefore(migration: string): Promise<TestDatabase> {
  const old = await createEmptyDatabase(ENGINE);
  const earlier = (await readMigrations()).filter(({ name }) => name < migration);
  await old.db.transaction(async (tx) => {
    await lockSchema(tx);
    await migrateTo(tx, earlier);
  });
  return old;
}

const RELEASED = new URL(`../../data/release-${LAST_RELEASE.version}.sql`, import.meta.url);

/** Fills an empty database with the last release's schema and rows. The key is its owner's. */
export async function fillAsReleased(db: Database): Promise<{ key: string }> {
  const rows = await readFile(RELEASED, 'utf8');
  const released = (await readMigrations()).filter(
    ({ name }) => name <= LAST_RELEASE.lastMigration,
  );
  await db.transaction(async (tx) => {
    await lockSchema(tx);
    await migrateTo(tx, released);
    // The release's own rows follow. If a released file was changed, its checksum does not match them.
    await tx.script('DELETE FROM schema_migrations');
    await tx.script(rows);
  });
  return { key: /atr_\w+/.exec(rows)?.[0] ?? '' };
}

/** Runs the migrations before this one that are pending, on a database without Citus's tables. */
export async function migrateUntil(db: Database, migration: string): Promise<void> {
  const applied = new Set((await readApplied(db)).map(({ version }) => version));
  for (const { version, name, sql, checksum } of await readMigrations()) {
    if (applied.has(version) || name >= migration) continue;
    await db.transaction(async (tx) => {
      await tx.script(sql);
      await tx.query(
        'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)',
        [version, name, checksum],
      );
    });
  }
}

export interface OldPerson {
  id: string;
  name: string;
  email: string;
}

/** Its people join in this order. */
export async function insertOrg(
  db: Database,
  orgId: string,
  people: readonly OldPerson[],
): Promise<void> {
  await db.query('INSERT INTO orgs (id, name) VALUES ($1, $1)', [orgId]);
  for (const [at, { id, name, email }] of people.entries()) {
    await db.query('INSERT INTO users (id, email, email_key, name) VALUES ($1, $2, $2, $3)', [
      id,
      email,
      name,
    ]);
    await db.query(
      `INSERT INTO memberships (org_id, user_id, role, joined_at)
       VALUES ($1, $2, 'OWNER', now() + make_interval(secs => $3))`,
      [orgId, id, at],
    );
  }
}
