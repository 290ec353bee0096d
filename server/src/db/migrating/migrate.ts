import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { isDistributed, runDistributed } from '../citus/citus.ts';
import { limitLockWaits, PATIENT, untilLocked, type Patience } from './lock-waits.ts';
import { makeIndexesOnline } from './online-index.ts';
import type { Database, OuterTransaction, Queryable, Transaction } from '../types.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

const FOLDER = new URL('../migrations/', import.meta.url);
/** Any constant works, as long as every version of Atrium uses the same one. */
const LOCK_KEY = 7_264_821_003;

/**
 * Applies pending migrations, each in its own transaction, while other processes serve requests. No
 * statement waits for a table for long: see `limitLockWaits`. Processes that start together take turns.
 */
export async function migrate(
  db: Database,
  patience: Patience = PATIENT,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations();
  const pending = await db.transaction(async (tx) => {
    await lockSchema(tx);
    await createMigrationTable(tx);
    return pendingOf(migrations, await readApplied(tx));
  });
  const applied: string[] = [];
  for (const migration of pending) {
    if (await applyOnline(db, migration, patience)) applied.push(migration.name);
  }
  return { applied };
}

/** False if another process has applied it meanwhile. */
async function applyOnline(
  db: Database,
  migration: Migration,
  patience: Patience,
): Promise<boolean> {
  const parts = partsOf(migration.sql);
  for (const [at, sql] of parts.entries()) {
    if (db.runAlone) await makeIndexesOnline(db, sql, patience.report);
    const isLast = at === parts.length - 1;
    const isOurs = await untilLocked(
      db,
      `migration ${migration.name}`,
      async (tx) => {
        await lockSchema(tx);
        if ((await readApplied(tx)).some(({ version }) => version === migration.version)) {
          return false;
        }
        await limitLockWaits(tx);
        await run(tx, migration, sql);
        if (isLast) await record(tx, migration);
        return true;
      },
      patience,
    );
    if (!isOurs) return false;
  }
  return true;
}

/**
 * The transactions of a migration. If one fails, or a process ends between two, the next start runs those
 * before it again.
 */
export function partsOf(sql: string): string[] {
  return sql.split(/^-- New transaction$/m);
}

/** Creates the schema that a backup was made from, in an empty database whose schema is locked. */
export async function migrateTo(tx: OuterTransaction, wanted: AppliedMigration[]): Promise<void> {
  const migrations = await readMigrations();
  const pending = new Set(pendingOf(migrations, wanted, 'archive'));
  await createMigrationTable(tx);
  for (const migration of migrations) {
    if (pending.has(migration)) continue;
    await run(tx, migration, migration.sql);
    await record(tx, migration);
  }
}

/** Until the transaction ends, no other process changes the schema or starts serving on it. */
export async function lockSchema(tx: OuterTransaction): Promise<void> {
  await tx.script(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
}

async function createMigrationTable(tx: Transaction): Promise<void> {
  await tx.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
       applied_at timestamptz(3) NOT NULL DEFAULT now())`,
  );
}

/** True if the schema has all that this version needs. It may be newer: processes are upgraded one by one. */
export async function isMigrated(db: Database): Promise<boolean> {
  const [row] = await db.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migrations',
  );
  latestVersion ??= (await readMigrations()).at(-1)?.version;
  return (row?.version ?? 0) >= (latestVersion ?? 0);
}

/** What `migrate` would apply. Rejects, as it does, if the schema is not one that this version knows. */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const [table] = await db.query<{ exists: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  const applied = table?.exists ? await readApplied(db) : [];
  return pendingOf(await readMigrations(), applied).map((migration) => migration.name);
}

/**
 * Texts of migrations from between two releases, before they were changed to hold up nobody, or to
 * run on Citus. They made the same schema, so databases that have them go on.
 */
const FORMER_CHECKSUMS = new Set([
  '2b89b8c319bf72cf0519b1bf58ee19e236286f2f859e14ecc185708865115519', // 0010
  '443e7d9b48ada7394539bcfc2fd93446299e1e5e4220d0713b18c4aaf569525b', // 0011
  '3032b29bd9de974d3c170b76e3291d24bc4fd52c5b7015fd2383e78bd18dc728', // 0040
]);

let latestVersion: number | undefined;

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, FOLDER), 'utf8');
      const name = file.replace(/\.sql$/, '');
      return { version: Number.parseInt(file, 10), name, sql, checksum: hash('sha256', sql) };
    }),
  );
}

export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'checksum'>;

export async function readApplied(db: Queryable): Promise<AppliedMigration[]> {
  return db.query<AppliedMigration>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
}

/** The schema of a database or an archive does not fit this version of Atrium. The message is one line. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

function pendingOf(
  migrations: Migration[],
  applied: AppliedMigration[],
  source: 'database' | 'archive' = 'database',
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const done of applied) {
    const ours = known.get(done.version);
    if (!ours) {
      throw new SchemaMismatch(
        `the ${source} has migration ${done.name}, which this version of Atrium does not know; ${source === 'archive' ? 'restore it with' : 'start'} a newer version`,
      );
    }
    if (ours.checksum !== done.checksum && !FORMER_CHECKSUMS.has(done.checksum)) {
      throw new SchemaMismatch(
        source === 'archive'
          ? `the archive was made with another migration ${done.name}; restore it with the version of Atrium that made it`
          : `migration ${done.name} was changed after it was applied; restore the file and add a new migration instead`,
      );
    }
  }
  const doneVersions = new Set(applied.map((done) => done.version));
  return migrations.filter((migration) => !doneVersions.has(migration.version));
}

async function run(tx: OuterTransaction, { name }: Migration, sql: string): Promise<void> {
  try {
    await ((await isDistributed(tx)) ? runDistributed(tx, sql) : tx.script(sql));
  } catch (error) {
    throw new Error(`migration ${name} failed and was rolled back`, { cause: error });
  }
}

async function record(tx: Transaction, { version, name, checksum }: Migration): Promise<void> {
  await tx.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}
