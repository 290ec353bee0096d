import { isStopWord, termOf } from '../words/terms.ts';
import { STOP_WORD_WEIGHT } from './ranking.ts';

/**
 * The weight of each word of a query when words are compared in context: its rarity. A word counts once,
 * however many tokens it has and however often it occurs.
 */
export function wordWeights(
  words: readonly string[],
  rarities: ReadonlyMap<string, number>,
): Float32Array {
  const rarest = Math.max(1, ...rarities.values());
  const pieces = new Map<string, number>();
  for (const word of words) pieces.set(word, (pieces.get(word) ?? 0) + 1);
  return Float32Array.from(words, (word) => {
    const weight = isStopWord(word) ? STOP_WORD_WEIGHT : (rarities.get(termOf(word)) ?? rarest);
    return weight / (pieces.get(word) ?? 1);
  });
}
