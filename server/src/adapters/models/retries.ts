import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { GenerateOptions } from './model.ts';
import { providerFailureOf, type ProviderFailure } from './provider-failure.ts';

export interface RetryTimings {
  /** The longest pause before the first retry. It doubles with each further one. */
  backoffMs: number;
  /** Resolves after this long; rejects as soon as the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<unknown>;
}

export const RETRY_TIMINGS: RetryTimings = {
  backoffMs: 1000,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
const MAX_RETRIES = 2;

/**
 * The only place that decides whether a request to a provider is retried. Fails with a ProviderFailure or
 * the signal's reason.
 */
export async function withRetries<T>(
  attempt: () => PromiseLike<T>,
  { signal, endsAt }: Required<Pick<GenerateOptions, 'signal' | 'endsAt'>>,
  { log, timings }: { log: Logger; timings: RetryTimings },
): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const failure = providerFailureOf(error);
      const waitMs = waitBefore(failure, retries, timings.backoffMs);
      const isWorthIt = failure.isPassing && retries < MAX_RETRIES;
      if (!isWorthIt || performance.now() + waitMs >= endsAt) throw failure;
      const { kind, status, reason } = failure;
      log.warn({ kind, status, reason, waitMs }, 'request to the model provider failed, retrying');
      await timings.pause(waitMs, signal);
    }
  }
}

function waitBefore(
  { retryAfterMs = 0 }: ProviderFailure,
  retries: number,
  backoffMs: number,
): number {
  // Between half and all of it, so that requests that failed together don't retry together.
  const backoff = backoffMs * 2 ** retries * (0.5 + Math.random() / 2);
  return Math.ceil(Math.max(backoff, retryAfterMs));
}
