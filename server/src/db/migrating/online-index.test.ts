import { describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { makeIndexesOnline } from './online-index.ts';

const database = useTestDatabase();

const MIGRATION = `-- For a test.
CREATE INDEX IF NOT EXISTS orgs_by_name ON orgs (name)
  INCLUDE (id);`;
const insertOrg = 'INSERT INTO orgs (id, name) VALUES ($1, $1)';

async function findIndex(): Promise<{ valid: boolean; definition: string } | undefined> {
  const [row] = await database.db.query<{ valid: boolean; definition: string }>(
    `SELECT indisvalid AS valid, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indexrelid = to_regclass('orgs_by_name')`,
  );
  return row;
}

/** The embedded engine has one session: nobody writes while a migration runs. */
describe.runIf(ENGINE === 'postgres')('an index of a migration', () => {
  it('is made while others write, even before a transaction that started earlier has ended', async () => {
    const { db } = database;
    let building: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(insertOrg, ['earlier']);
      building = makeIndexesOnline(db, MIGRATION);
      await expect.poll(findIndex).toMatchObject({ valid: false });
      await db.query(insertOrg, ['later']);
      expect(await findIndex()).toMatchObject({ valid: false });
    });
    await building;
    expect(await findIndex()).toMatchObject({
      valid: true,
      definition: 'CREATE INDEX orgs_by_name ON public.orgs USING btree (name) INCLUDE (id)',
    });
  });

  it('is made again if making it was interrupted', async () => {
    const { db } = database;
    await db.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orgs_by_name'::regclass`,
    );
    await makeIndexesOnline(db, MIGRATION);
    expect(await findIndex()).toMatchObject({ valid: true });
  });

  it('is made once by processes that start together', async () => {
    const { db } = database;
    await db.query('DROP INDEX orgs_by_name');
    await Promise.all(Array.from({ length: 4 }, () => makeIndexesOnline(db, MIGRATION)));
    expect(await findIndex()).toMatchObject({ valid: true });
  });

  it('is left to the migration if there is no such table yet', async () => {
    await makeIndexesOnline(
      database.db,
      'CREATE INDEX IF NOT EXISTS orgs_by_name2 ON not_yet (name);',
    );
    expect(await database.db.query(`SELECT to_regclass('orgs_by_name2') AS found`)).toEqual([
      { found: null },
    ]);
  });
});
