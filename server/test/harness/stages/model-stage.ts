import type { Logger } from 'pino';
import { createModelRegistry } from '../../../src/adapters/models/create-model-registry.ts';
import {
  ModelFailure,
  type GenerateOptions,
  type Generated,
  type LanguageModel,
} from '../../../src/adapters/models/model.ts';
import type { RetryTimings } from '../../../src/adapters/models/retries.ts';
import type { ModelConfig } from '../../../src/config/models.ts';
import { startAnthropicServer } from '../outside/anthropic-server.ts';
import type { ModelServer, ScriptedAnswer } from '../outside/model-server.ts';
import { startOpenAiChatServer } from '../outside/openai-chat-server.ts';

/** For `describe.each`: each provider with a server that speaks its wire format. */
export const WIRE_FORMATS: [ModelConfig['provider'], () => Promise<ModelServer>][] = [
  ['openai', startOpenAiChatServer],
  ['anthropic', startAnthropicServer],
];

export const RETRY_AT_ONCE: RetryTimings = { backoffMs: 0, pause: async () => {} };

export const PROMPT = {
  instructions: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Hi' }],
};

export async function loadTestModel(
  server: ModelServer,
  entry: Pick<ModelConfig, 'provider'> & Partial<ModelConfig>,
  log: Logger,
  timings = RETRY_AT_ONCE,
): Promise<LanguageModel> {
  const { baseUrl } = server;
  const config = { slug: 'ada', model: 'ada-1', baseUrl, creditsPer1kTokens: 0, ...entry };
  return (await createModelRegistry([config], log, timings).load('ada')) as LanguageModel;
}

/** Scripts the answers, then asks. */
export function askModel(
  server: ModelServer,
  model: LanguageModel,
  answers: ScriptedAnswer[],
  options: Partial<GenerateOptions> = {},
): Promise<Generated> {
  server.answerWith(answers);
  const signal = AbortSignal.timeout(20_000);
  return model.generate(PROMPT, { maxOutputTokens: 1000, signal, ...options });
}

export async function expectFailure(asking: Promise<Generated>): Promise<ModelFailure> {
  const error = await asking.catch((reason: unknown) => reason);
  if (!(error instanceof ModelFailure)) throw new Error('expected a ModelFailure');
  return error;
}
