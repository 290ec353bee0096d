import { ConfigError } from '../config/config-error.ts';

/** What to do, by the system's name for the problem. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space on its disk',
  EDQUOT: 'free some space, or raise the disk quota of this user',
  EFBIG: 'raise the size that a file may have (ulimit -f)',
  EROFS: 'mount its disk for writing',
  EACCES: 'give this user the right to write to it',
  EPERM: 'give this user the right to write to it',
  EIO: 'check its disk',
};

/** The same as one line that names DATA_DIR, if a file or folder there can't be read or written. */
export function explainDataFolder(error: unknown, folder: string): unknown {
  if (!isSystemError(error)) return error;
  const advice = ADVICE[error.code] ?? 'correct the path';
  return new ConfigError(
    'DATA_DIR',
    `cannot use ${folder}: ${error.message}; ${advice}, or set DATA_DIR to another folder`,
  );
}

/** Names of system calls tell such an error from those of Node and of packages, which have codes too. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    typeof error.code === 'string'
  );
}
