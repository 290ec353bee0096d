import type { TextEncoder } from '../../adapters/embeddings/text-encoder.ts';
import type { MemoryRow } from './store.ts';

/** A memory as its readers see it. */
export type Memory = Omit<MemoryRow, 'embeddingModel'> & { isReady: boolean };

/** Ready is what the configured model has read: search never compares across models. */
export function toMemory(encoder: TextEncoder, { embeddingModel, ...memory }: MemoryRow): Memory {
  return { ...memory, isReady: embeddingModel === encoder.model };
}
