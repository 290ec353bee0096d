import type { TextEncoder } from '../../adapters/embeddings/text-encoder.ts';
import type { MemoryRow } from './store.ts';

/** A memory as the API returns it. */
export type Memory = Omit<MemoryRow, 'embeddingModel'> & { isReady: boolean };

/** Ready means embedded by the configured model, since vectors of different models can't be compared. */
export function toMemory(encoder: TextEncoder, { embeddingModel, ...memory }: MemoryRow): Memory {
  return { ...memory, isReady: embeddingModel === encoder.model };
}
