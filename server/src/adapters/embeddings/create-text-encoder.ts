import type { Logger } from 'pino';
import type { EmbeddingsConfig } from '../../config/embeddings.ts';
import { createLocalEncoder } from './local/local-encoder.ts';
import { createOpenAiEncoder } from './openai/openai-encoder.ts';
import type { TextEncoder } from './text-encoder.ts';

/** Vectors come from the local model or from a service. Token vectors always come from the local model. */
export function createTextEncoder(config: EmbeddingsConfig, log: Logger): TextEncoder {
  return config.kind === 'local' ? createLocalEncoder(log) : createOpenAiEncoder(config, log);
}
