import { sqlState } from './violations.ts';

/** One line for what an operator can fix, starting with the variable; undefined for any other error. */
export function explainDatabaseError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return `DATABASE_URL: cannot connect (${code}); is PostgreSQL running?`;
  }
  if (/extension "vector" is not available/.test(error.message)) {
    return 'DATABASE_URL: pgvector is not installed on this PostgreSQL; install version 0.8 or newer (Debian: postgresql-NN-pgvector)';
  }
  // 28: authentication failed; 3D: no such database; 42501: permission denied.
  return /^(28|3D|42501)/.test(sqlState(error) ?? '')
    ? `DATABASE_URL: ${error.message}`
    : undefined;
}
