import type { Logger } from 'pino';
import {
  QueueFull,
  type EncodedText,
  type TextEncoder,
} from '../../adapters/embeddings/text-encoder.ts';
import type { SearchForm } from './store.ts';
import { indexText, saltOf } from './words/lexical.ts';

/** What the database column holds, whatever the model's own number of dimensions. */
const DIMENSIONS = 1536;
/** Of the indexed part. */
export const HEAD_DIMENSIONS = 384;

/** Made before any transaction opens: the model takes its time, and a service may be far away. */
export async function encodeContent(
  encoder: TextEncoder,
  log: Logger,
  content: string,
): Promise<EncodedText> {
  try {
    const [encoded] = await encoder.encode([content], { priority: 'write' });
    return encoded ?? NOTHING;
  } catch (error) {
    // The memory is kept all the same, and a job makes its vector when there is room.
    if (!(error instanceof QueueFull)) log.error({ err: error }, 'a memory could not be encoded');
    return NOTHING;
  }
}

const NOTHING: EncodedText = { vector: null, tokens: null };

export function searchFormOf(
  encoder: TextEncoder,
  content: string,
  encoded: EncodedText,
  place: { orgId: string; privateTo: string | null },
): SearchForm {
  const { terms, weights } = indexText(content, saltOf(place.orgId, place.privateTo));
  return { terms, weights, ...embeddingOf(encoder, encoded) };
}

export function embeddingOf(encoder: TextEncoder, { vector, tokens }: EncodedText) {
  return {
    embedding: vector && vectorText(vector, DIMENSIONS),
    embeddingModel: vector && encoder.model,
    tokenVectors: tokens,
    tokenModel: encoder.tokenModel,
  };
}

/** As pgvector reads it, cut or padded with zeroes: those change no cosine. */
export function vectorText(vector: Float32Array, dimensions = DIMENSIONS): string {
  const numbers = Array.from({ length: dimensions }, (_, at) =>
    Number((vector[at] ?? 0).toFixed(6)),
  );
  return `[${numbers.join(',')}]`;
}
