import {
  createTokenizer,
  isPunctuation,
} from '../../server/src/adapters/embeddings/local/tokenizer.ts';
import { readVocabulary } from '../../server/src/adapters/embeddings/local/model-files.ts';
import { STOP_WORD_WEIGHT } from '../../server/src/features/memory/search/ranking.ts';
import { rarityOf, weightOf } from '../../server/src/text/words/lexical.ts';
import { isStopWord, queryTermsOf, termOf, termsOf } from '../../server/src/text/words/terms.ts';

/** Memories, and questions with the memories that answer them, by index. */
export interface Haystack {
  source: string;
  memories: string[];
  questions: Question[];
}

export interface Question {
  text: string;
  answers: number[];
  /** Memories that may answer it too. The loss leaves them out. */
  unsure?: number[];
}

const MOST_MEMORY_TOKENS = 254;
const MOST_QUESTION_TOKENS = 62;
const MOST_QUESTION_TERMS = 32;

const tokenize = createTokenizer(await readVocabulary());

/** Everything that doesn't depend on the model, as the product computes it: tokens, weights, words in common. */
export function encodeHaystack({ source, memories, questions }: Haystack): object {
  const counted = memories.map(countTerms);
  const memoriesWith = new Map<string, number>();
  for (const { counts } of counted) {
    for (const term of counts.keys()) memoriesWith.set(term, (memoriesWith.get(term) ?? 0) + 1);
  }
  const rarity = (term: string) => rarityOf(memoriesWith.get(term) ?? 0, memories.length);
  const columns = new Map<string, number>();
  const columnOf = (term: string) => {
    const known = columns.get(term);
    if (known !== undefined) return known;
    columns.set(term, columns.size);
    return columns.size - 1;
  };
  const encoded = questions.map(({ text, answers, unsure = [] }) => {
    const terms = queryTermsOf(text).slice(0, MOST_QUESTION_TERMS);
    return {
      text,
      ids: tokenize(text).ids.slice(0, MOST_QUESTION_TOKENS),
      weights: tokenWeights(text, terms, rarity).slice(0, MOST_QUESTION_TOKENS),
      terms: terms.map((term) => [columnOf(term), rarity(term)]),
      answers: [...new Set(answers)],
      unsure: unsure.filter((at) => !answers.includes(at)),
    };
  });
  return {
    source,
    memories: memories.map((memory) => tokenize(memory).ids.slice(0, MOST_MEMORY_TOKENS)),
    memoryTerms: counted.map(({ counts, length }) =>
      [...counts]
        .filter(([term]) => columns.has(term))
        .map(([term, count]) => [columns.get(term), weightOf(count, length)]),
    ),
    terms: columns.size,
    questions: encoded,
  };
}

function countTerms(text: string): { counts: Map<string, number>; length: number } {
  const terms = termsOf(text);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** As `wordWeights` has them, without the model's own emphasis; 0 for punctuation. */
function tokenWeights(
  text: string,
  terms: readonly string[],
  rarity: (term: string) => number,
): number[] {
  const { words, wordOf } = tokenize(text);
  const byToken = wordOf.map((at) => words[at] ?? '');
  const known = new Set(terms);
  const rarest = Math.max(1, ...terms.map(rarity));
  return byToken.map((word) => {
    if (isPunctuation(word)) return 0;
    const pieces = byToken.filter((other) => other === word).length;
    const term = termOf(word);
    const weight = known.has(term) ? rarity(term) : rarest;
    return (isStopWord(word) ? STOP_WORD_WEIGHT : weight) / pieces;
  });
}
