/**
 * How a memory's marks become its score. The weights were chosen on LoCoMo's development half
 * (`npm run bench -- recall`); all marks are 0 to 1 and mean the same in every search.
 */

/** Of the first ranking: likeness of meaning, and the query's own words. */
export const VECTOR_WEIGHT = 0.56;
export const LEXICAL_WEIGHT = 0.44;
/** Of the second: word by word in context, against the first. */
const RERANK_WEIGHT = 0.68;
/** What a stop word weighs when words are compared in context, where a rare one weighs about 6. */
export const STOP_WORD_WEIGHT = 1;
/** How many of the first ranking are ranked again. */
export const RERANKED = 50;

export interface Scores {
  /** Cosine of query and memory; null where either has no vector. */
  vector: number | null;
  /** The share of the query's words, by rarity, that the memory has. */
  lexical: number;
  /** Late interaction: the mean over the query's tokens of the memory's best; null where not made. */
  rerank: number | null;
}

export function scoreOf({ vector, lexical, rerank }: Scores, degraded: boolean): number {
  // Without the query's vector, words are all there is: they get the whole weight.
  const first = degraded ? lexical : VECTOR_WEIGHT * (vector ?? 0) + LEXICAL_WEIGHT * lexical;
  return round(rerank === null ? first : RERANK_WEIGHT * rerank + (1 - RERANK_WEIGHT) * first);
}

/** Enough digits to tell ranks apart, and no noise of the last bits. */
export function round(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1e6) / 1e6;
}
