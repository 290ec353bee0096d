import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { wrapLanguageModel, type LanguageModelMiddleware } from 'ai';
import type { Logger } from 'pino';
import type { ModelConfig } from '../../config/models.ts';
import { joinTurns, markForCache, type ProviderModel } from './provider-prompt.ts';
import { logWarnings } from './provider-stream.ts';

/** The SDK's model for one model, with our own fetch. */
export function createProviderModel(
  config: ModelConfig,
  log: Logger,
  boundedFetch: typeof fetch,
): ProviderModel {
  const shape = config.provider === 'anthropic' ? markForCache : joinTurns;
  const middleware: LanguageModelMiddleware = {
    transformParams: async ({ params }) => ({ ...params, prompt: shape(params.prompt) }),
    async wrapStream({ doStream }) {
      const result = await doStream();
      return { ...result, stream: logWarnings(result.stream, log) };
    },
  };
  return wrapLanguageModel({ model: bareModel(config, boundedFetch), middleware });
}

function bareModel({ provider, model, baseUrl, apiKey }: ModelConfig, boundedFetch: typeof fetch) {
  if (provider === 'anthropic') {
    // If this is undefined, the SDK reads the environment.
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch: boundedFetch })(model);
  }
  return createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    includeUsage: true,
    fetch: boundedFetch,
    ...(apiKey !== undefined && { apiKey }),
    ...(provider === 'openai' && { transformRequestBody: withCurrentNames }),
  })(model);
}

/** OpenAI's own models reject max_tokens; compatible services accept nothing else. */
function withCurrentNames(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, ...rest } = body;
  return { ...rest, max_completion_tokens: max_tokens };
}
