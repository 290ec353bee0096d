import { ConfigError } from './config-error.ts';
import { OPENAI_URL } from './models.ts';
import { serviceUrl } from './values.ts';
import type { Variables } from './variables.ts';

/** Which model embeds memories: the one that comes with Atrium, or an OpenAI-compatible service. */
export type EmbeddingsConfig =
  | { kind: 'local' }
  | {
      kind: 'openai';
      baseUrl: string;
      apiKey?: string;
      model: string;
      dimensions: number;
    };

/** `local`, `openai`, or `openai:<model>:<dimensions>` for any model of an OpenAI-compatible service. */
export function embeddings({ read, readSecret }: Variables): EmbeddingsConfig {
  const value = read('EMBEDDINGS') ?? 'local';
  if (value === 'local') return { kind: 'local' };
  const [, model, dimensions] = /^openai(?::(.+):(\d{1,4}))?$/.exec(value) ?? [];
  const size = Number(dimensions ?? 1536);
  if (!/^openai(:|$)/.test(value) || (value !== 'openai' && !model) || size < 1 || size > 1536) {
    throw new ConfigError(
      'EMBEDDINGS',
      `must be local, openai, or openai:<model>:<dimensions up to 1536>, not "${value}"`,
    );
  }
  const apiKey = readSecret('OPENAI_API_KEY');
  const baseUrl = serviceUrl('OPENAI_BASE_URL', read('OPENAI_BASE_URL'), ['http:', 'https:']);
  if (apiKey === undefined && baseUrl === undefined) {
    throw new ConfigError(
      'EMBEDDINGS',
      'openai needs OPENAI_API_KEY, or OPENAI_BASE_URL for a service without keys',
    );
  }
  return {
    kind: 'openai',
    baseUrl: (baseUrl ?? OPENAI_URL).replace(/\/+$/, ''),
    ...(apiKey !== undefined && { apiKey }),
    model: model ?? 'text-embedding-3-small',
    dimensions: size,
  };
}
