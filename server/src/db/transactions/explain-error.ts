import { problemOf } from '../../core/problem-of.ts';
import { sqlState } from './violations.ts';
import { errorCode } from '../../core/error-code.ts';

/** Why there is no connection, in one line without a secret. */
export function explainConnecting(error: unknown): string {
  const problem = problemOf(error);
  // 28: authentication failed; 3D: no such database; 42501: permission denied.
  if (/^(28|3D|42501)/.test(sqlState(error) ?? '')) return (error as Error).message;
  if (problem.includes('client password must be a string')) {
    return 'PostgreSQL asks for a password, and the URL has none';
  }
  const code = errorCode(error);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return `cannot connect (${code}); is PostgreSQL running?`;
  }
  const isAnswer = sqlState(error) !== undefined;
  return `cannot connect: ${problem}${isAnswer ? '' : '; is this the address of a PostgreSQL that is running?'}`;
}

/**
 * One line for what an operator can fix, undefined for any other error. The database's own error may be
 * the cause of the one that a migration fails with.
 */
export function explainDatabaseError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return explainState(error) ?? explainDatabaseError(error.cause);
}

function explainState(error: Error): string | undefined {
  const state = sqlState(error);
  if (/extension "vector" is not available/.test(error.message)) {
    return `DATABASE_URL: pgvector is not installed on this PostgreSQL; ${INSTALL_VECTOR}`;
  }
  if (state === '42501' && error.message.includes('extension "vector"')) {
    return `DATABASE_URL: ${error.message}; ${CREATE_VECTOR}, then start again`;
  }
  if (state === '53100' || state === '58030') {
    return `the database cannot write to its disk: ${error.message}; free some space there, then start again`;
  }
  if (state === '25006') {
    return `DATABASE_URL: ${error.message}; is this a standby? Use the address of the primary`;
  }
  return state === '42501' ? `DATABASE_URL: ${error.message}` : undefined;
}

export const INSTALL_VECTOR = 'install pgvector 0.8 or later (Debian: postgresql-NN-pgvector)';
export const CREATE_VECTOR = 'a superuser has to run `CREATE EXTENSION vector;` in this database';
