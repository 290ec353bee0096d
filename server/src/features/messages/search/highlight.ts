import type { Steps } from '../../../words/in-turns.ts';
import { piecesOf } from '../../../words/pieces.ts';
import { isStopWord, placedWordsOf, termOf } from '../../../words/terms.ts';
import type { ParsedQuery } from './query.ts';

/** A part of a body, in code points. */
export interface Highlight {
  start: number;
  end: number;
}

interface PlacedTerm extends Highlight {
  term: string;
  isStopWord: boolean;
}

/** More would not help a reader, and a long body could have thousands. */
const MOST_HIGHLIGHTS = 100;

/**
 * Where the words and phrases of a query are in a body, in order and without overlaps. Empty if a phrase does
 * not occur: then the body is no match.
 */
export function* highlight(body: string, { terms, phrases }: ParsedQuery): Steps<Highlight[]> {
  const words = yield* placedTerms(body);
  const wanted = new Set(terms);
  const found: Highlight[] = words.filter((word) => !word.isStopWord && wanted.has(word.term));
  for (const phrase of phrases) {
    const places = occurrences(words, yield* placedTerms(phrase));
    if (places.length === 0) return [];
    found.push(...places);
  }
  return merged(found).slice(0, MOST_HIGHLIGHTS);
}

function* placedTerms(text: string): Steps<PlacedTerm[]> {
  const words: PlacedTerm[] = [];
  let before = 0;
  for (const piece of piecesOf(text)) {
    for (const { word, start, end } of placedWordsOf(piece.text)) {
      words.push({
        term: termOf(word),
        isStopWord: isStopWord(word),
        start: before + start,
        end: before + end,
      });
    }
    before += Array.from(piece.text).length;
    yield;
  }
  return words;
}

/** Words are compared by their terms, stop words too. */
function occurrences(words: readonly PlacedTerm[], phrase: readonly PlacedTerm[]): Highlight[] {
  const places: Highlight[] = [];
  for (let at = 0; at + phrase.length <= words.length; at++) {
    if (!phrase.every(({ term }, nth) => words[at + nth]?.term === term)) continue;
    const [first, last] = [words[at], words[at + phrase.length - 1]];
    places.push({ start: first?.start ?? 0, end: last?.end ?? 0 });
  }
  return places;
}

/** Pairs of characters overlap in scripts without spaces, and so do a phrase and its words. */
function merged(places: readonly Highlight[]): Highlight[] {
  const all: Highlight[] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
