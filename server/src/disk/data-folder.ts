import { ConfigError } from '../config/config-error.ts';
import { errorCode } from '../core/error-code.ts';

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
  const code = errorCode(error);
  // The name of a system call tells such an error from those of Node and of packages, which have codes too.
  if (!(error instanceof Error) || !('syscall' in error) || code === undefined) return error;
  const advice = ADVICE[code] ?? 'correct the path';
  return new ConfigError(
    'DATA_DIR',
    `cannot use ${folder}: ${error.message}; ${advice}, or set DATA_DIR to another folder`,
  );
}
