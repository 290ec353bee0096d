import { streamText, ToolChoiceViolationError, type FinishReason } from 'ai';
import type { Logger } from 'pino';
import type { ModelConfig } from '../../config-models.ts';
import { AnswerText, cleanText } from './answer-text.ts';
import { describeProviderFailure, emptyAnswer, refused, timedOut } from './failures.ts';
import {
  ModelFailure,
  type GenerateOptions,
  type Generated,
  type LanguageModel,
  type Prompt,
} from './model.ts';
import { providerFailureOf, ProviderFailure } from './provider-failure.ts';
import { createProviderModel } from './provider-model.ts';
import type { RetryTimings } from './retries.ts';
import { createTally } from './tally.ts';
import { createToolUse } from './tool-use.ts';

type ProviderModel = ReturnType<typeof createProviderModel>;

/** Importing this file loads the AI SDK. */
export function createLanguageModel(
  config: ModelConfig,
  log: Logger,
  timings?: RetryTimings,
): LanguageModel {
  const { slug, provider, model, creditsPer1kTokens } = config;
  const modelLog = log.child({ model: slug });
  const providerModel = createProviderModel(config, modelLog, timings);

  function describe(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return isTimeout(signal.reason) ? timedOut(config) : signal.reason;
    if (error instanceof ModelFailure) return error;
    const failure = providerFailureOf(error);
    const { kind, status, reason } = failure;
    modelLog.warn({ kind, status, reason }, 'a model gave no answer');
    return describeProviderFailure(failure, config);
  }

  return {
    slug,
    provider,
    model,
    creditsPer1kTokens,
    async generate(prompt, options) {
      const stop = new AbortController();
      const signal = AbortSignal.any([options.signal, stop.signal]);
      try {
        options.signal.throwIfAborted();
        const { answer, finish, ...rest } = await unlessAborted(
          options.signal,
          readAnswer(providerModel, prompt, { ...options, signal }),
        );
        if (finish === 'content-filter') throw refused(config);
        if (answer === '') throw emptyAnswer(config, finish === 'length');
        return { ...rest, text: answer, truncated: finish === 'length' };
      } catch (error) {
        throw describe(error, options.signal);
      } finally {
        // Ends what is still open: the rest of an answer we have cut, or a tool at work.
        stop.abort();
      }
    },
  };
}

interface Answer extends Omit<Generated, 'text' | 'truncated'> {
  answer: string;
  finish: FinishReason;
}

async function readAnswer(
  model: ProviderModel,
  prompt: Prompt,
  options: GenerateOptions,
): Promise<Answer> {
  const { signal, maxOutputTokens } = options;
  const tally = createTally(prompt, options.tools);
  const toolUse = createToolUse(options, signal);
  const { stream } = streamText({
    model,
    ...sdkPrompt(prompt),
    ...toolUse.settings,
    maxOutputTokens,
    // The SDK's own bound is one of each step.
    prepareStep({ stepNumber }) {
      const tokensLeft = Math.max(1, maxOutputTokens - tally.outputTokens);
      const isOver = toolUse.isOver(stepNumber, tokensLeft);
      return { maxOutputTokens: tokensLeft, ...(isOver && { toolChoice: 'none' as const }) };
    },
    onStepEnd: (step) => tally.add(step),
    abortSignal: signal,
    maxRetries: 0,
    // Left out, errors go to the console.
    onError: () => {},
    telemetry: { isEnabled: false },
  });
  let text = new AnswerText();
  let said = '';
  let finish: FinishReason | undefined;
  for await (const part of stream) {
    if (part.type === 'start-step') {
      // A model may answer, use a tool once more, and then have nothing to add.
      said = text.toString() || said;
      text = new AnswerText();
    }
    if (part.type === 'text-delta') {
      text.add(part.text);
      if (!text.isFull) continue;
      tally.addCut(text.toString());
      finish = 'length';
      break;
    }
    if (part.type === 'finish-step') finish = part.finishReason;
    // A model that calls tools when it may not has answered nothing, which shows in the end.
    if (part.type === 'error' && !ToolChoiceViolationError.isInstance(part.error)) throw part.error;
  }
  if (finish === undefined || finish === 'interrupted') throw new ProviderFailure('broken');
  const { inputTokens, outputTokens } = tally;
  return { answer: text.toString() || said, finish, inputTokens, outputTokens };
}

/** No empty messages, which some providers refuse, and no half characters, which all do. */
function sdkPrompt({ instructions, messages }: Prompt) {
  return {
    ...(instructions.trim() !== '' && { instructions: cleanText(instructions) }),
    messages: messages
      .filter(({ content }) => content.trim() !== '')
      .map(({ role, content }) => ({ role, content: cleanText(content) })),
  };
}

/** Fails as soon as the signal is aborted, even where a tool takes no notice of it. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
