import { serviceUrl } from './values.ts';
import type { Variables } from './variables.ts';

/** Who re-ranks search results: nobody, the local model, or a service. */
export type RerankConfig =
  | { kind: 'none' }
  | { kind: 'local' }
  | { kind: 'service'; url: string; apiKey?: string; model?: string };

/** `none`, `local`, or the address of a service with `POST /rerank`. */
export function rerank({ read, readSecret }: Variables): RerankConfig {
  const value = read('RERANK') ?? 'local';
  const apiKey = readSecret('RERANK_API_KEY');
  const model = read('RERANK_MODEL');
  if (value === 'none' || value === 'local') return { kind: value };
  const base = serviceUrl('RERANK', value, ['http:', 'https:']) ?? value;
  return {
    kind: 'service',
    url: `${base.replace(/\/+$/, '').replace(/\/rerank$/, '')}/rerank`,
    ...(apiKey !== undefined && { apiKey }),
    ...(model !== undefined && { model }),
  };
}
