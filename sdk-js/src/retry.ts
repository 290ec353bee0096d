import { ConnectionError, TimeoutError, type AtriumError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** The API never asks for more than 60 seconds. If a proxy does, the call fails instead. */
const MAX_RETRY_AFTER_S = 60;

/**
 * How many milliseconds to wait before the next attempt; undefined if there must not be one.
 * A rejected request (429) had no effect, so any request can be retried. After other failures, only
 * a repeatable one can: the server may have processed it.
 */
export function retryDelay(
  error: AtriumError,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  if (!isRefusal(error) && !(isRepeatable && isTransient(error))) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > MAX_RETRY_AFTER_S) return undefined;
  // Jitter, so that clients waiting for the same limit don't all return at once.
  if (retryAfter > 0) return retryAfter * 1000 + Math.random() * 250;
  return backoff(attempt, FIRST_DELAY_MS, MAX_DELAY_MS);
}

/** Doubles with each attempt up to `most`, then picks a random point in the upper half. */
export function backoff(attempt: number, first: number, most: number): number {
  return Math.min(first * 2 ** (attempt - 1), most) * (0.5 + Math.random() / 2);
}

function isRefusal(error: AtriumError): boolean {
  if (error.status === 429) return true;
  return error.status === 409 && error.reason === 'idempotency_in_progress';
}

function isTransient(error: AtriumError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  return error.status !== undefined && error.status >= 500;
}

/** Rejects at once with the signal's reason if the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
