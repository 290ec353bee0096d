/** A backup or a restore that could not be completed. The message is one line; nothing was changed. */
export class BackupError extends Error {
  override name = 'BackupError';
}

export function damaged(detail: string): BackupError {
  return new BackupError(`the archive is damaged or incomplete: ${detail}`);
}
