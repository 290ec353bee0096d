/**
 * How a memory's scores become one. The weights and the calibration were fitted on LoCoMo's development half
 * (`npm run bench -- recall` prints the fit). All scores are from 0 to 1 and comparable across searches.
 */

/** First ranking: similarity of meaning, and words in common. */
export const VECTOR_WEIGHT = 0.7;
export const LEXICAL_WEIGHT = 0.3;
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

/** What a memory could be compared by. */
export type Basis = keyof typeof CALIBRATION;

/**
 * The logarithm of the odds that a memory answers the query is `base + slope * similarity`. So memories that
 * were compared by different things can be ranked in one list.
 */
export const CALIBRATION = {
  /** Everything. */
  all: { base: -11.44, slope: 15.27 },
  /** Vectors and words: there are no token vectors. */
  first: { base: -8.98, slope: 12.1 },
  /** Token vectors and words: the query or the memory has no vector. */
  tokens: { base: -8.77, slope: 10.79 },
  /** Words only: the model has not read the memory, or could not read the query. */
  words: { base: -5.66, slope: 5.17 },
};

/**
 * How similar a memory is to the query, by everything they could be compared by. `trust` is how far the
 * second ranking counts, from 0 to 1.
 */
export function similarityOf({ vector, lexical, rerank }: Scores, trust = 1): number {
  const first = vector === null ? lexical : VECTOR_WEIGHT * vector + LEXICAL_WEIGHT * lexical;
  const weight = RERANK_WEIGHT * trust;
  return rerank === null ? first : weight * rerank + (1 - weight) * first;
}

/** If the model knows this share of a query's words, it is trusted. */
const ENOUGH_KNOWN = 0.5;

/** The model knows English. Of other languages it knows letters, and what it makes of them means little. */
export function trustOf(isKnown: readonly boolean[], weights: Float32Array): number {
  let known = 0;
  let all = 0;
  for (const [at, weight] of weights.entries()) {
    all += weight;
    if (isKnown[at]) known += weight;
  }
  return all > 0 ? Math.min(1, known / all / ENOUGH_KNOWN) : 1;
}

export function basisOf({ vector, rerank }: Scores): Basis {
  if (vector === null) return rerank === null ? 'words' : 'tokens';
  return rerank === null ? 'first' : 'all';
}

/** The usual number of memories in the collections that the calibration was fitted on. */
const FITTED_AMONG = 550;
/** A collection of fewer memories than this has no answer as often as it has one. */
const MISSING_BELOW = 30;

/** What a small collection adds to the log-odds: there is less that a memory could be confused with. */
export function headStart(among: number): number {
  return Math.max(0, Math.log((FITTED_AMONG + MISSING_BELOW) / (among + MISSING_BELOW)));
}

/** The estimated chance that the memory answers the query, if it is one of so many. */
export function scoreOf(
  scores: Scores,
  { trust, among }: { trust: number; among: number },
): number {
  const { base, slope } = CALIBRATION[basisOf(scores)];
  const odds = base + slope * similarityOf(scores, trust) + headStart(among);
  return 1 / (1 + Math.exp(-odds));
}

/** The first ranking as SQL: the same odds, without the second. */
export function firstRanking(vector: string, lexical: string): string {
  const { first, words } = CALIBRATION;
  return `coalesce(
    ${first.base} + ${first.slope} * (${VECTOR_WEIGHT} * ${vector} + ${LEXICAL_WEIGHT} * ${lexical}),
    ${words.base} + ${words.slope} * ${lexical})`;
}

/** Enough digits to tell ranks apart, without floating-point noise. */
export function round(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1e6) / 1e6;
}
