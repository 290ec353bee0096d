import { errorCode } from '../core/error-code.ts';

const BASE_MS = 1_000;
const CAP_MS = 10 * 60_000;
/** With 3, ten attempts take about half an hour, enough for a mail server to be restarted. */
const GROWTH = 3;

/** The pause after a failed attempt: a random half to the whole of the step, so that retries spread out. */
export function backoffMs(attempt: number, random: () => number): number {
  const step = Math.min(CAP_MS, BASE_MS * GROWTH ** (attempt - 1));
  return Math.round(step * (0.5 + random() / 2));
}

const MAX_LENGTH = 500;

/**
 * Describes an error to an operator in one short line. Only message and code, because other fields quote
 * rows or requests, and without anything like a secret, because some services repeat what they were sent.
 */
export function describeFailure(error: unknown): string {
  return (
    summaryOf(error)
      .slice(0, 4 * MAX_LENGTH)
      // PostgreSQL cannot store NUL, and terminals interpret other control characters.
      .replaceAll(/\p{Cc}+/gu, ' ')
      .replaceAll(/\/\/[^\s/]*@/g, '//***@')
      .replaceAll(/\b(bearer|basic)\s+\S+/gi, '$1 ***')
      .replaceAll(/\b(?:atr|sk|pk|rk|whsec)[_-][\w-]+/g, '***')
      .replaceAll(/[\w-]{32,}/g, '***')
      .slice(0, MAX_LENGTH)
      .trim()
  );
}

function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch failed` says nothing, but the code of its cause does.
  const code = errorCode(error) ?? errorCode(error.cause);
  return `${error.name}: ${error.message}${code === undefined ? '' : ` (${code})`}`;
}
