import type { Logger } from 'pino';
import { createLocalEncoder } from './local/local-encoder.ts';
import { createOpenAiEncoder, type OpenAiOptions } from './openai/openai-encoder.ts';
import type { TextEncoder } from './text-encoder.ts';

export type TextEncoderOptions = { kind: 'local' } | ({ kind: 'openai' } & OpenAiOptions);

/** Vectors by the model in this process, or by a service. Token vectors are made here either way. */
export function createTextEncoder(options: TextEncoderOptions, log: Logger): TextEncoder {
  if (options.kind === 'local') return createLocalEncoder(log);
  return createOpenAiEncoder(options, log);
}
