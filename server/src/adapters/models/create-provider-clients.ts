import type { Logger } from 'pino';
import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { sendGuarded } from './bounded-fetch.ts';
import { describeListFailure } from './failures.ts';
import { listOfferedModels } from './list-offered-models.ts';
import type { ProviderClients } from './model.ts';
import { ProviderFailure } from './provider-failure.ts';
import type { RetryTimings } from './retries.ts';

export function createProviderClients(
  safeFetch: SafeFetch,
  log: Logger,
  timings?: RetryTimings,
): ProviderClients {
  const send = sendGuarded(safeFetch);
  return {
    check: (baseUrl) => safeFetch.check(baseUrl),
    async open(config) {
      // Loaded on first use, because importing the SDK takes a third of a second.
      const { createLanguageModel } = await import('./language-model.ts');
      return createLanguageModel(config, log, { send, ...(timings && { timings }) });
    },
    async listModels(access, signal) {
      try {
        return await listOfferedModels(safeFetch, access, signal);
      } catch (error) {
        throw error instanceof ProviderFailure ? describeListFailure(error) : error;
      }
    },
    close: () => safeFetch.close(),
  };
}
