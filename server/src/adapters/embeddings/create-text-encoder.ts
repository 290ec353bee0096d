import type { Logger } from 'pino';
import { createLocalEncoder } from './local/local-encoder.ts';
import { createOpenAiEncoder, type OpenAiOptions } from './openai/openai-encoder.ts';
import type { TextEncoder } from './text-encoder.ts';

export type TextEncoderOptions = { kind: 'local' } | ({ kind: 'openai' } & OpenAiOptions);

/** Vectors come from the local model or from a service. Token vectors always come from the local model. */
export function createTextEncoder(options: TextEncoderOptions, log: Logger): TextEncoder {
  if (options.kind === 'local') return createLocalEncoder(log);
  return createOpenAiEncoder(options, log);
}
