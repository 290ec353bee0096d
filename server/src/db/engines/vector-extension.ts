import { ConfigError } from '../../config/config-error.ts';
import { problemOf } from '../../core/problem-of.ts';
import { CREATE_VECTOR, INSTALL_VECTOR } from '../transactions/explain-error.ts';
import { readDatabaseFacts, type DatabaseFacts } from '../migrating/inspect.ts';
import type { Database } from '../types.ts';

const MIN_VERSION = [0, 8] as const;

export interface VectorProblem {
  problem: string;
  advice: string;
}

/** If the version of pgvector that is used, or that would be, is not one that Atrium works with. */
export function versionProblem({
  vector,
  availableVector,
}: Pick<DatabaseFacts, 'vector' | 'availableVector'>): VectorProblem | undefined {
  const version = vector ?? availableVector;
  if (version === null) return { problem: 'is not installed', advice: INSTALL_VECTOR };
  if (!isOld(version)) return undefined;
  const problem = `version ${version} is too old`;
  if (vector === null) return { problem, advice: INSTALL_VECTOR };
  const update = 'a superuser has to run `ALTER EXTENSION vector UPDATE;` in this database';
  const isInstalled = availableVector !== null && !isOld(availableVector);
  return { problem, advice: isInstalled ? update : `${INSTALL_VECTOR}, then ${update}` };
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_VERSION;
  return major < minMajor || (major === minMajor && minor < minMinor);
}

/** Stops a start in one line, before migrations fail at a type or a setting that is missing. */
export async function requireVector(db: Database): Promise<void> {
  if (db.engine === 'embedded') return;
  const found = versionProblem(await readDatabaseFacts(db));
  if (found) throw new ConfigError('DATABASE_URL', `pgvector ${found.problem}; ${found.advice}`);
}

/** Tries it and rolls back: hosts of databases let roles create it that are not superusers. */
export async function creationProblem(db: Database): Promise<VectorProblem | undefined> {
  const undo = new Error('rolled back');
  const failure = await db
    .transaction(async (tx) => {
      await tx.script('CREATE EXTENSION IF NOT EXISTS vector');
      throw undo;
    })
    .catch((error: unknown) => error);
  if (failure === undo) return undefined;
  return { problem: problemOf(failure), advice: `${CREATE_VECTOR}, then run \`migrate\`` };
}
