import {
  QueueFull,
  type EncodedText,
  type TextEncoder,
} from '../../adapters/embeddings/text-encoder.ts';
import type { Context } from '../../context.ts';
import type { SearchForm } from './store.ts';
import { inTurns } from './words/in-turns.ts';
import { indexText, saltOf } from './words/lexical.ts';

/** The size of the database column, whatever the model's number of dimensions. */
const DIMENSIONS = 1536;
/** The size of the indexed part. */
export const HEAD_DIMENSIONS = 384;

/** Everything derived from a memory's content, for either visibility. */
export interface PreparedContent {
  content: string;
  encoded: EncodedText;
  weights: string;
  /** The hashes of its terms: `shared` if others can see it, `own` if it is PRIVATE. */
  terms: { shared: number[]; own: number[] };
}

/** Call it before opening a transaction: the model is slow, and it may be a remote service. */
export async function prepareContent(
  { encoder, log, orgId }: Pick<Context, 'encoder' | 'log' | 'orgId'>,
  content: string,
  ownerUserId: string | null,
): Promise<PreparedContent> {
  const [encoded, words] = await Promise.all([
    encodeContent({ encoder, log, orgId }, content),
    indexWords(orgId, content, ownerUserId),
  ]);
  return { content, encoded, ...words };
}

/** What a memory is found by without the model. */
export async function indexWords(
  orgId: string,
  content: string,
  ownerUserId: string | null,
): Promise<Pick<PreparedContent, 'weights' | 'terms'>> {
  const salts = [saltOf(orgId, null), saltOf(orgId, ownerUserId)];
  const { weights, terms } = await inTurns(orgId, indexText(content, salts));
  const [shared = [], own = []] = terms;
  return { weights, terms: { shared, own } };
}

async function encodeContent(
  { encoder, log, orgId }: Pick<Context, 'encoder' | 'log' | 'orgId'>,
  content: string,
): Promise<EncodedText> {
  try {
    const [encoded] = await encoder.encode([content], { orgId, priority: 'write' });
    return encoded ?? NOT_ENCODED;
  } catch (error) {
    // The memory is stored anyway, and a job embeds it later.
    if (!(error instanceof QueueFull)) log.error({ err: error }, 'could not encode a memory');
    return NOT_ENCODED;
  }
}

export const NOT_ENCODED: EncodedText = { vector: null, tokens: null };

export function searchFormOf(
  encoder: TextEncoder,
  { encoded, weights, terms }: Omit<PreparedContent, 'content'>,
  isPrivate: boolean,
): SearchForm {
  return { terms: isPrivate ? terms.own : terms.shared, weights, ...embeddingOf(encoder, encoded) };
}

export function embeddingOf(encoder: TextEncoder, { vector, tokens }: EncodedText) {
  return {
    embedding: vector && vectorText(vector, DIMENSIONS),
    embeddingModel: vector && encoder.model,
    tokenVectors: tokens,
    tokenModel: encoder.tokenModel,
  };
}

/** In pgvector's format, truncated or padded with zeros. Zeros don't change a cosine. */
export function vectorText(vector: Float32Array, dimensions = DIMENSIONS): string {
  const numbers = Array.from({ length: dimensions }, (_, at) =>
    Number((vector[at] ?? 0).toFixed(6)),
  );
  return `[${numbers.join(',')}]`;
}
