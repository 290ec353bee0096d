import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { createEmptyDatabase } from '../../../test/harness/databases/empty-database.ts';
import { LAST_RELEASE } from '../../../test/harness/databases/releases.ts';
import { TablesInUse } from './lock-waits.ts';
import { lockSchema, migrate, migrateTo, partsOf, readMigrations } from './migrate.ts';
import type { Database, OuterTransaction } from '../types.ts';

type EmptyDatabase = Awaited<ReturnType<typeof createEmptyDatabase>>;

let database: EmptyDatabase;
let db: Database;
let pending: string[];

/** A database of the last release. */
beforeEach(async () => {
  database = await createEmptyDatabase(ENGINE);
  db = database.db;
  const migrations = await readMigrations();
  const released = migrations.filter(({ name }) => name <= LAST_RELEASE.lastMigration);
  pending = migrations.slice(released.length).map(({ name }) => name);
  await db.transaction(async (tx) => {
    await lockSchema(tx);
    await migrateTo(tx, released);
  });
});
afterEach(() => database.drop());

const applied = async () =>
  (await db.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version')).map(
    ({ name }) => name,
  );

/** Keeps the table locked for reading, and no snapshot, for which new indexes of any table would wait. */
async function holdTable(tx: OuterTransaction, table: string): Promise<void> {
  await tx.query(`SELECT 1 AS found FROM ${table}`);
  await tx.script('SELECT');
}

describe('a migration of several transactions', () => {
  it('goes on if the process ended between two of them', async () => {
    const migrations = (await readMigrations()).filter(({ name }) => pending.includes(name));
    const last = migrations.findLastIndex(({ sql }) => partsOf(sql).length > 1);
    const run = (part: string) => db.transaction((tx) => tx.script(part));
    for (const [at, { version, name, sql, checksum }] of migrations.slice(0, last + 1).entries()) {
      const parts = partsOf(sql);
      for (const part of parts.slice(0, -1)) await run(part);
      if (at === last) break;
      // What was done is done again, as it is not recorded.
      for (const part of parts) await run(part);
      await db.query(
        'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)',
        [version, name, checksum],
      );
    }
    expect(await migrate(db)).toEqual({ applied: pending.slice(last) });
  });
});

/** The embedded engine has one session: nobody reads while a migration runs. */
describe.runIf(ENGINE === 'postgres')('a migration of a table that a transaction uses', () => {
  it('lets others pass while it waits, and succeeds once the transaction has ended', async () => {
    const seen = { attempts: 0, passed: 0 };
    let migrating: Promise<unknown> = Promise.resolve();
    await db.transaction(async (reader) => {
      await holdTable(reader, 'messages');
      const report = (fields: object) => void (seen.attempts += Number('attempt' in fields));
      migrating = migrate(db, { attempts: 1_000, firstPauseMs: 5, report });
      void migrating.catch(() => (seen.attempts = Infinity));
      while (seen.attempts < 3) {
        await db.query('SELECT 1 AS found FROM messages');
        await db.query('UPDATE sessions SET name = name');
        seen.passed++;
      }
    });
    expect(seen.passed).toBeGreaterThan(3);
    expect(await migrating).toEqual({ applied: pending });
  });

  it('gives up in the end, in one line, and leaves what it could not change', async () => {
    await db.transaction(async (reader) => {
      await holdTable(reader, 'sessions');
      const failure = await migrate(db, { attempts: 2, firstPauseMs: 1 }).catch((error) => error);
      expect(failure).toBeInstanceOf(TablesInUse);
      expect(failure.message).toMatch(/^migration 0013_lists could not lock.* 2 attempts.*end it/);
    });
    const done = await applied();
    expect(done.at(-1)).toBe('0012_pending_replies');
    expect(await migrate(db)).toEqual({ applied: pending.filter((name) => !done.includes(name)) });
  });

  it('runs once, whoever applies it', async () => {
    const results = await Promise.all([migrate(db), migrate(db), migrate(db)]);
    const all = results.flatMap((result) => result.applied);
    expect(all.toSorted()).toEqual(pending);
    expect((await applied()).slice(-pending.length)).toEqual(pending);
  });
});
