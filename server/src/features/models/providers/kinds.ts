import { ANTHROPIC_URL, OPENAI_URL, PROVIDERS, type ModelConfig } from '../../../config/models.ts';

export const PROVIDER_KINDS = [...PROVIDERS, 'ollama'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Where each kind is, unless somebody says otherwise. A compatible service can be anywhere. */
const USUAL_URLS: Partial<Record<ProviderKind, string>> = {
  openai: OPENAI_URL,
  anthropic: ANTHROPIC_URL,
  ollama: 'http://localhost:11434/v1',
};

/** The wire format that it speaks. */
export function wireOf(kind: ProviderKind): ModelConfig['provider'] {
  return kind === 'ollama' ? 'openai-compatible' : kind;
}

/** Undefined if there is none. Ollama is usually given without the path of its compatible API. */
export function baseUrlOf(kind: ProviderKind, given: string | undefined): string | undefined {
  if (given === undefined) return USUAL_URLS[kind];
  return kind === 'ollama' && !given.endsWith('/v1') ? `${given}/v1` : given;
}

/** OpenAI and Anthropic refuse everybody without a key. A proxy at another address may add its own. */
export function needsKey(kind: ProviderKind, baseUrl: string): boolean {
  return (kind === 'openai' || kind === 'anthropic') && baseUrl === USUAL_URLS[kind];
}
