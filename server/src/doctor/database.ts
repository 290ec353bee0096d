import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { findSecretsKeys } from '../adapters/secrets/secrets-key.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { explainDatabaseError } from '../db/transactions/explain-error.ts';
import { FolderLockedError } from '../db/engines/folder-lock.ts';
import { readDatabaseFacts, type DatabaseFacts } from '../db/migrating/inspect.ts';
import { pendingMigrations } from '../db/migrating/migrate.ts';
import { openDatabase } from '../db/engines/open.ts';
import type { Database } from '../db/types.ts';
import { creationProblem, versionProblem } from '../db/engines/vector-extension.ts';
import { problemOf } from '../core/problem-of.ts';
import { countSecrets } from '../app/stored-secrets.ts';
import { checkStoredFiles } from './files.ts';
import { failed, ok, skipped, warning, type Finding, type Found } from './finding.ts';

const CHECKS = [
  'database',
  'migrations',
  'pgvector',
  'clock',
  'secrets key',
  'stored files',
] as const;
type Check = (typeof CHECKS)[number];

const MIN_POSTGRES = 15;
/** Links, sessions and signed payment events compare times of both clocks. */
const MAX_SKEW_MS = 2_000;

/** Everything that needs a connection. Changes nothing: it neither migrates nor creates a database. */
export async function checkDatabase(config: Config, log: Logger): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'db'))) {
    return all(skipped('not created yet; the first start creates it in DATA_DIR'));
  }
  let db: Database | undefined;
  try {
    db = await openDatabase(config, log);
    return await inspect(config, db);
  } catch (error) {
    return all(unreachable(config, error));
  } finally {
    await db?.close();
  }
}

function all(database: Found): Finding[] {
  const rest = skipped('needs the database');
  return CHECKS.map((check) => ({ check, ...(check === 'database' ? database : rest) }));
}

function unreachable({ databaseUrl }: Config, error: unknown): Found {
  if (error instanceof FolderLockedError) {
    return skipped('a running server is using DATA_DIR; stop it to check the database');
  }
  const advice =
    databaseUrl === undefined
      ? 'If its files are damaged, restore a backup.'
      : 'Start PostgreSQL, or correct DATABASE_URL.';
  const problem = explainDatabaseError(error) ?? problemOf(error);
  return failed(problem, `${advice} See docs/operations/troubleshoot.md.`);
}

async function inspect(config: Config, db: Database): Promise<Finding[]> {
  const sentAt = Date.now();
  const facts = await readDatabaseFacts(db);
  const asked = { sentAt, receivedAt: Date.now() };
  const pgvector = await checkVector(db, facts);
  const migrations = await checkMigrations(db, pgvector);
  const found: Record<Check, Found> = {
    database: checkVersion(db, facts),
    migrations,
    pgvector,
    clock: checkClock(facts, asked),
    'secrets key':
      migrations.status === 'ok'
        ? await checkSecretsKey(config, db)
        : skipped('needs all migrations'),
    'stored files':
      migrations.status === 'ok'
        ? await checkStoredFiles(config, db).catch((error: unknown) =>
            skipped(`the storage cannot be used: ${problemOf(error)}`),
          )
        : skipped('needs all migrations'),
  };
  return CHECKS.map((check) => ({ check, ...found[check] }));
}

function checkVersion(db: Database, { version, versionNumber }: DatabaseFacts): Found {
  if (db.engine === 'embedded') return ok(`embedded engine, PostgreSQL ${version}`);
  if (versionNumber >= MIN_POSTGRES * 10_000) return ok(`PostgreSQL ${version}`);
  return failed(
    `PostgreSQL ${version} is too old`,
    `Upgrade it to version ${MIN_POSTGRES} or later.`,
  );
}

async function checkMigrations(db: Database, pgvector: Found): Promise<Found> {
  try {
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return ok('all applied');
    const run = 'Run `migrate`, or start the server, which does it.';
    const fixFirst = 'They would fail. Correct pgvector first, as said below.';
    return warning(`${pending.length} pending`, pgvector.status === 'failed' ? fixFirst : run);
  } catch (error) {
    return failed(problemOf(error), 'Start the version of Atrium that this database belongs to.');
  }
}

async function checkVector(db: Database, facts: DatabaseFacts): Promise<Found> {
  const { vector, availableVector } = facts;
  const found = versionProblem(facts) ?? (vector === null ? await creationProblem(db) : undefined);
  if (found) return failed(found.problem, asSentence(found.advice));
  if (vector !== null) return ok(`version ${vector}`);
  return ok(`version ${availableVector} is available; the first migration creates it`);
}

const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function checkClock(
  { clockMs }: DatabaseFacts,
  { sentAt, receivedAt }: { sentAt: number; receivedAt: number },
): Found {
  // The database read its clock at some moment in between.
  const skewMs = Math.max(sentAt - clockMs, clockMs - receivedAt, 0);
  if (skewMs <= MAX_SKEW_MS) return ok('agrees with the database');
  return failed(
    `differs from the database's by ${Math.round(skewMs / 1000)} seconds`,
    'Synchronise both machines by NTP (chrony or systemd-timesyncd).',
  );
}

async function checkSecretsKey(config: Config, db: Database): Promise<Found> {
  try {
    const keys = await findSecretsKeys(config);
    const { readable, unreadable } = await countSecrets(db, keys && createVault(keys));
    if (unreadable > 0) {
      return failed(
        `cannot decrypt ${unreadable} of ${readable + unreadable} stored secrets`,
        'Add the key they were encrypted with to SECRETS_KEY, or enter the secrets of those MCP servers and chat connections again.',
      );
    }
    if (!keys) return ok('not created yet; the next start creates it');
    return ok(
      readable === 0 ? 'set; no secrets are stored' : `decrypts all ${readable} stored secrets`,
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(problemOf(error), 'See "The secrets key" in docs/operations/configure.md.');
  }
}
