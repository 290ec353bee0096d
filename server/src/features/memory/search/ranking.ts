/**
 * How a memory's scores become one. The weights were chosen on LoCoMo's development half
 * (`npm run bench -- recall`). All scores are from 0 to 1 and comparable across searches.
 */

/** First ranking: similarity of meaning, and words in common. */
export const VECTOR_WEIGHT = 0.56;
export const LEXICAL_WEIGHT = 0.44;
/** Second ranking: similarity word by word, against the first ranking. */
const RERANK_WEIGHT = 0.68;
/** The weight of a stop word when words are compared in context. A rare word weighs about 6. */
export const STOP_WORD_WEIGHT = 1;
/** How many results of the first ranking are re-ranked. */
export const RERANKED = 50;

export interface Scores {
  /** Cosine of query and memory. Null if either has no vector. */
  vector: number | null;
  /** The share of the query's words that the memory contains, weighted by rarity. */
  lexical: number;
  /** Late interaction: the mean, over the query's tokens, of the best match. Null if not available. */
  rerank: number | null;
}

export function scoreOf({ vector, lexical, rerank }: Scores, degraded: boolean): number {
  // Without a query vector, only words can be compared, so they get all the weight.
  const first = degraded ? lexical : VECTOR_WEIGHT * (vector ?? 0) + LEXICAL_WEIGHT * lexical;
  return round(rerank === null ? first : RERANK_WEIGHT * rerank + (1 - RERANK_WEIGHT) * first);
}

/** Enough digits to tell ranks apart, without floating-point noise. */
export function round(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1e6) / 1e6;
}
