import {
  NOT_ENCODED,
  QueueFull,
  type EncodedText,
  type TextEncoder,
} from '../../adapters/embeddings/text-encoder.ts';
import type { Context } from '../../core/context.ts';
import type { SearchForm } from './store.ts';
import { inTurns } from '../../text/words/in-turns.ts';
import { indexText, saltOf } from '../../text/words/lexical.ts';

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
export async function prepareContents(
  { encoder, log, orgId }: Pick<Context, 'encoder' | 'log' | 'orgId'>,
  contents: readonly string[],
  ownerUserId: string | null,
): Promise<PreparedContent[]> {
  const [encoded, words] = await Promise.all([
    encodeContents({ encoder, log, orgId }, contents),
    Promise.all(contents.map((content) => indexWords(orgId, content, ownerUserId))),
  ]);
  return words.map((each, at) => ({
    content: contents[at] ?? '',
    encoded: encoded[at] ?? NOT_ENCODED,
    ...each,
  }));
}

export async function prepareContent(
  ctx: Pick<Context, 'encoder' | 'log' | 'orgId'>,
  content: string,
  ownerUserId: string | null,
): Promise<PreparedContent> {
  const [prepared] = await prepareContents(ctx, [content], ownerUserId);
  return prepared as PreparedContent;
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

async function encodeContents(
  { encoder, log, orgId }: Pick<Context, 'encoder' | 'log' | 'orgId'>,
  contents: readonly string[],
): Promise<EncodedText[]> {
  try {
    return await encoder.encode(contents, { orgId, priority: 'write' });
  } catch (error) {
    // The memories are stored anyway, and a job embeds them later.
    if (!(error instanceof QueueFull)) log.error({ err: error }, 'could not encode memories');
    return [];
  }
}

export function searchFormOf(
  encoder: TextEncoder,
  { encoded, weights, terms }: Omit<PreparedContent, 'content'>,
  isPrivate: boolean,
): SearchForm {
  return { terms: isPrivate ? terms.own : terms.shared, weights, ...embeddingOf(encoder, encoded) };
}

export function embeddingOf(encoder: TextEncoder, { vector, tokens }: EncodedText) {
  return {
    embedding: vector && halfVector(vector),
    embeddingModel: vector && encoder.model,
    tokenVectors: tokens,
    tokenModel: encoder.tokenModel,
  };
}

/**
 * pgvector's binary format, truncated or padded with zeros, which don't change a cosine. As text it would
 * take half a millisecond to write, and longer to read.
 */
function halfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 + 2 * DIMENSIONS);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setInt16(0, DIMENSIONS);
  for (let at = 0; at < Math.min(vector.length, DIMENSIONS); at++) {
    view.setFloat16(4 + 2 * at, vector[at] as number);
  }
  return bytes;
}

/** In pgvector's format, for a query. */
export function vectorText(vector: Float32Array, dimensions = DIMENSIONS): string {
  const numbers = Array.from({ length: dimensions }, (_, at) =>
    Number((vector[at] ?? 0).toFixed(6)),
  );
  return `[${numbers.join(',')}]`;
}
