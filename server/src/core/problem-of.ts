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
