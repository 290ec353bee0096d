/** What one check found, and what to do about it. Neither text contains a secret. */
export interface Finding {
  check: string;
  /** Only `failed` makes the command fail. */
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  message: string;
  advice?: string;
}

export type Found = Omit<Finding, 'check'>;

export const ok = (message: string): Found => ({ status: 'ok', message });
export const skipped = (message: string): Found => ({ status: 'skipped', message });
export const warning = (message: string, advice: string): Found => ({
  status: 'warning',
  message,
  advice,
});
export const failed = (message: string, advice: string): Found => ({
  status: 'failed',
  message,
  advice,
});

/** Errors of drivers and of the system, in one line. */
export function problemOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  if (cause instanceof Error) return problemOf(cause);
  // Several addresses were tried, and each failed.
  const text = error instanceof AggregateError ? '' : (message ?? String(error));
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line === '' || line.includes(code ?? line)
    ? line || (code ?? 'unknown')
    : `${line} (${code})`;
}
