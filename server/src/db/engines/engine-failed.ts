/** The embedded engine can't use its files. It never finishes another statement. The message is one line. */
export class EngineFailed extends Error {
  constructor(reason: string) {
    const advice = /no space|quota|ENOSPC|EDQUOT/i.test(reason)
      ? 'free some space on the disk of DATA_DIR'
      : 'check the disk of DATA_DIR, and that this user may write to it';
    super(`the embedded database stopped: ${reason}; ${advice}, then start again`);
    this.name = 'EngineFailed';
  }
}

/** The engine's C library has numbers of its own for what the system refuses. */
const ERRORS: Readonly<Record<number, string>> = {
  2: 'permission denied (EACCES)',
  19: 'disk quota exceeded (EDQUOT)',
  22: 'file too large (EFBIG)',
  29: 'input/output error (EIO)',
  33: 'too many open files (EMFILE)',
  51: 'no space left on the disk (ENOSPC)',
  63: 'operation not permitted (EPERM)',
  69: 'read-only file system (EROFS)',
};

/** Why the engine did not start. Its own errors are plain objects with a number. */
export function startFailure(error: unknown): string {
  if (error instanceof Error) return error.message.replaceAll(/\s+/g, ' ');
  const { errno } = error as { errno?: number };
  return (errno !== undefined && ERRORS[errno]) || `error ${errno ?? String(error)}`;
}
