import type { TextEncoder } from '../../../adapters/embeddings/text-encoder.ts';
import { rarityOf, termWeights } from '../words/lexical.ts';
import { termsOf } from '../words/terms.ts';
import { wordWeights } from './word-weights.ts';
import { round, scoreOf, type Scores } from './ranking.ts';

export interface RankedText {
  /** Its place in what was given. */
  at: number;
  score: number;
  scores: Scores;
}

/** So many are read by the model; words choose them. */
const READ_BY_MODEL = 24;

/** Ranks texts that are not stored as memories, as a search would: the marks can be compared with its. */
export async function rankTexts(
  encoder: TextEncoder,
  query: string,
  texts: readonly string[],
): Promise<RankedText[]> {
  const marks = lexicalMarks(query, texts);
  const chosen = marks.best.slice(0, READ_BY_MODEL);
  const [encodedQuery, encoded] = await Promise.all([
    encoder.encodeQuery(query),
    encoder.encode(chosen.map(({ at }) => texts[at] ?? '')),
  ]);
  const reranked = encodedQuery.tokens
    ? await encoder.rerank(
        encodedQuery,
        wordWeights(encodedQuery.words, marks.rarities),
        encoded.map(({ tokens }) => tokens),
      )
    : [];
  const ranked = chosen.map(({ at, lexical }, index) => {
    const scores: Scores = {
      lexical: round(lexical),
      vector: cosine(encodedQuery.vector, encoded[index]?.vector ?? null),
      rerank: reranked[index] ?? null,
    };
    return { at, scores, score: scoreOf(scores, encodedQuery.vector === null) };
  });
  return ranked.toSorted((a, b) => b.score - a.score);
}

function lexicalMarks(query: string, texts: readonly string[]) {
  const weights = texts.map(termWeights);
  const rarities = new Map<string, number>();
  for (const term of new Set(termsOf(query))) {
    const having = weights.filter((byTerm) => byTerm.has(term)).length;
    rarities.set(term, rarityOf(having, texts.length));
  }
  const whole = [...rarities.values()].reduce((sum, rarity) => sum + rarity, 0) || 1;
  const marks = weights.map((byTerm, at) => {
    let sum = 0;
    for (const [term, rarity] of rarities) sum += rarity * (byTerm.get(term) ?? 0);
    return { at, lexical: Math.min(1, sum / whole) };
  });
  // Texts that share no word with the query come last, in the order they were given.
  return { rarities, best: marks.toSorted((a, b) => b.lexical - a.lexical) };
}

function cosine(a: Float32Array | null, b: Float32Array | null): number | null {
  if (!a || !b) return null;
  return round(a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0));
}
