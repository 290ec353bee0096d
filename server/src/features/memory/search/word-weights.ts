import type { EncodedQuery } from '../../../adapters/embeddings/text-encoder.ts';
import { isStopWordIn, termIn } from '../../../text/words/languages.ts';
import type { ReadQuery } from '../../../text/words/terms.ts';
import { STOP_WORD_WEIGHT } from './ranking.ts';

/**
 * The weight of each word of a query when words are compared in context: its rarity, and what the model
 * makes of it. A word counts once, however many tokens it has and however often it occurs.
 */
export function wordWeights(
  { words, emphasis }: Pick<EncodedQuery, 'words' | 'emphasis'>,
  { language = 'en' }: Pick<ReadQuery, 'language'>,
  /** By term. */
  rarities: ReadonlyMap<string, number>,
): Float32Array {
  const rarest = Math.max(1, ...rarities.values());
  const pieces = new Map<string, number>();
  for (const word of words) pieces.set(word, (pieces.get(word) ?? 0) + 1);
  return Float32Array.from(words, (word, at) => {
    const isStopWord = isStopWordIn(language, word);
    const weight = isStopWord ? STOP_WORD_WEIGHT : (rarities.get(termIn(language, word)) ?? rarest);
    return ((emphasis[at] ?? 1) * weight) / (pieces.get(word) ?? 1);
  });
}
