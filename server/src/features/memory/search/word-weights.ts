import { isStopWord, termOf } from '../words/terms.ts';
import { STOP_WORD_WEIGHT } from './ranking.ts';

/**
 * What each word of a query weighs when words are compared in context: as much as it is rare. It counts
 * once, however many pieces the model has for it and however often it is said.
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
