import { ConnectionError, TimeoutError, type AtriumError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** The API asks for 60 seconds at most; who asks for more is not waited for. */
const MAX_RETRY_AFTER_S = 60;

/**
 * How many milliseconds to wait before the request is sent again; undefined where it must not be.
 * A refusal (429) did nothing, so any request may follow it; what may have been done is repeated only
 * where repeating does no harm.
 */
export function retryDelay(
  error: AtriumError,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  if (!isRefusal(error) && !(isRepeatable && isTransient(error))) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > MAX_RETRY_AFTER_S) return undefined;
  // Not all at the same moment: whoever waits for the same limit comes a little later or earlier.
  if (retryAfter > 0) return retryAfter * 1000 + Math.random() * 250;
  return backoff(attempt, FIRST_DELAY_MS, MAX_DELAY_MS);
}

/** Doubles up to its cap; between a half and the whole of it, at random. */
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

/** Waits, unless the signal says to stop: then it rejects at once with the signal's reason. */
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
