import { lockSchema, migrateTo, readMigrations } from '../../../src/db/migrating/migrate.ts';
import type { Database } from '../../../src/db/types.ts';
import { ENGINE, type TestDatabase } from './database.ts';
import { createEmptyDatabase } from './empty-database.ts';

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
