import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { providerFailureOf, type ProviderFailure } from './provider-failure.ts';

export interface RetryTimings {
  /** Before the first retry, at most; twice as long before each further one. */
  backoffMs: number;
  /** A provider that asks us to wait for longer is not waited for. */
  maxWaitMs: number;
}

const TIMINGS: RetryTimings = { backoffMs: 1000, maxWaitMs: 20_000 };
const MAX_RETRIES = 2;

/** Tries again what may pass, until the signal ends it. Fails with a ProviderFailure or the signal's reason. */
export async function withRetries<T>(
  attempt: () => PromiseLike<T>,
  options: { signal: AbortSignal | undefined; log: Logger; timings?: RetryTimings | undefined },
): Promise<T> {
  const { signal, log, timings = TIMINGS } = options;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const failure = providerFailureOf(error);
      const waitMs = retries < MAX_RETRIES ? waitBefore(failure, retries, timings) : undefined;
      if (waitMs === undefined) throw failure;
      const { kind, status, reason } = failure;
      log.warn({ kind, status, reason, waitMs }, 'the provider of a model is asked again');
      await setTimeout(waitMs, undefined, { ...(signal && { signal }) });
    }
  }
}

/** Undefined where another attempt is not worth it. */
function waitBefore(
  { isPassing, retryAfterMs }: ProviderFailure,
  retries: number,
  { backoffMs, maxWaitMs }: RetryTimings,
): number | undefined {
  if (!isPassing) return undefined;
  // Between half and all of it, lest those who failed together come back together.
  const backoff = backoffMs * 2 ** retries * (0.5 + Math.random() / 2);
  const wait = Math.max(backoff, retryAfterMs ?? 0);
  return wait <= maxWaitMs ? Math.ceil(wait) : undefined;
}
