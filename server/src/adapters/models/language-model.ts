import type { Logger } from 'pino';
import type { ModelConfig } from '../../config/models.ts';
import { unlessAborted } from '../../core/unless-aborted.ts';
import { createBoundedFetch, sendAnywhere, type Send } from './bounded-fetch.ts';
import { describeProviderFailure, emptyAnswer, refused, timedOut } from './failures.ts';
import { infoOf, type LanguageModel } from './model.ts';
import { ProviderFailure } from './provider-failure.ts';
import { createProviderModel } from './provider-model.ts';
import { RETRY_TIMINGS, withRetries, type RetryTimings } from './retries.ts';
import { runSteps } from './run-steps.ts';
import { askForStep, type StepRequest } from './step.ts';
import { createWriting } from './writing.ts';

/** Importing this file loads the AI SDK. */
export function createLanguageModel(
  config: ModelConfig,
  log: Logger,
  { timings = RETRY_TIMINGS, send = sendAnywhere }: { timings?: RetryTimings; send?: Send } = {},
): LanguageModel {
  const modelLog = log.child({ model: config.slug });
  const providerModel = createProviderModel(config, modelLog, createBoundedFetch(send));

  function describe(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return isTimeout(signal.reason) ? timedOut(config) : signal.reason;
    if (!(error instanceof ProviderFailure)) return error;
    const { kind, status, reason } = error;
    modelLog.warn({ kind, status, reason }, 'model request failed');
    return describeProviderFailure(error, config);
  }

  return {
    ...infoOf(config),
    async generate(prompt, options) {
      const over = new AbortController();
      const signal = AbortSignal.any([options.signal, over.signal]);
      const limits = { signal, endsAt: options.endsAt ?? Infinity };
      const writing = createWriting(options.watcher);
      const ask = (request: StepRequest) => {
        writing.nextStep();
        let attempts = 0;
        const attempt = () => {
          if (attempts++ > 0) writing.restart();
          return askForStep(providerModel, request, signal, (delta) => writing.add(delta));
        };
        return withRetries(attempt, limits, { log: modelLog, timings });
      };
      try {
        options.signal.throwIfAborted();
        // A tool may ignore the signal.
        const { answer, finish, ...rest } = await unlessAborted(
          options.signal,
          runSteps(ask, prompt, { ...options, signal, writing }),
        );
        if (finish === 'stopped')
          return { ...rest, text: answer, truncated: false, isStopped: true };
        if (finish === 'content-filter') throw refused(config);
        if (answer === '') throw emptyAnswer(config, finish === 'length');
        return { ...rest, text: answer, truncated: finish === 'length' };
      } catch (error) {
        throw describe(error, options.signal);
      } finally {
        // Stops what is still running, such as a tool.
        over.abort();
      }
    },
  };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
