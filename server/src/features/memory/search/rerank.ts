import type { EncodedQuery } from '../../../adapters/embeddings/text-encoder.ts';
import type { Context } from '../../../core/context.ts';
import { round, scoreOf, trustOf, type Scores } from './ranking.ts';

export interface RerankedQuery {
  text: string;
  encoded: EncodedQuery;
  /** Of the encoded query's words. */
  weights: Float32Array;
  /** How many texts there are, of which the best by the first ranking are given. */
  among: number;
}

/** A text with the scores of the first ranking. */
export interface RerankedText extends Omit<Scores, 'rerank'> {
  text: string;
  tokens: Uint8Array | null;
}

/** The second ranking of each text: by a service if there is one, else word by word, in context. */
export async function rerankTexts(
  ctx: Pick<Context, 'encoder' | 'reranker' | 'orgId'>,
  query: RerankedQuery,
  texts: readonly RerankedText[],
): Promise<{ scores: Scores; score: number }[]> {
  const byService = await rankByService(ctx, query, texts);
  const byModel = byService ? [] : await rankByModel(ctx, query, texts);
  const trust = trustOf(query.encoded.isKnown, query.weights);
  return texts.map(({ vector, lexical }, at) => {
    const rerank = byService?.[at] ?? byModel[at] ?? null;
    const scores: Scores = {
      vector: vector === null ? null : round(vector),
      lexical: round(lexical),
      rerank: rerank === null ? null : round(rerank),
    };
    // A service has read query and text together, and says how likely it is.
    return { scores, score: byService?.[at] ?? scoreOf(scores, { trust, among: query.among }) };
  });
}

async function rankByService(
  { reranker }: Pick<Context, 'reranker'>,
  query: RerankedQuery,
  texts: readonly RerankedText[],
): Promise<number[] | undefined> {
  if (reranker.kind !== 'service') return undefined;
  return reranker.rank(
    query.text,
    texts.map(({ text }) => text),
  );
}

async function rankByModel(
  { encoder, reranker, orgId }: Pick<Context, 'encoder' | 'reranker' | 'orgId'>,
  { encoded, weights }: RerankedQuery,
  texts: readonly RerankedText[],
): Promise<(number | null)[]> {
  if (reranker.kind === 'none' || !encoded.tokens) return [];
  const tokens = texts.map((text) => text.tokens);
  return encoder.rerank(encoded, weights, tokens, { orgId });
}
