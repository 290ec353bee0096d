import type { Steps } from '../../../text/words/in-turns.ts';
import { piecesOf } from '../../../text/words/pieces.ts';
import { halfPairBetween, isStopWord, placedWordsOf, termOf } from '../../../text/words/terms.ts';
import { compilePhrases, searchPhrases } from './phrases.ts';
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
 * Finds the words and phrases of one query in a body, in order and without overlaps. Empty if a phrase does
 * not occur: then the body is no match. Each body is read once, up to where nothing more can be shown.
 */
export function createHighlighter(query: ParsedQuery): (body: string) => Steps<Highlight[]> {
  const wanted = new Set(query.terms);
  const phrases = compilePhrases(query.phrases);
  // A phrase that is not complete yet may join as many parts as it has terms.
  const settled = MOST_HIGHLIGHTS + phrases.longest;
  return function* (body) {
    const search = searchPhrases(phrases);
    const parts: Highlight[] = [];
    const starts: number[] = [];
    for (const words of placedTerms(body)) {
      for (const { term, isStopWord, start, end } of words) {
        starts.push(start);
        const length = search.read(term);
        if (length > 0) addPart(parts, { start: starts.at(-length) ?? start, end });
        else if (!isStopWord && wanted.has(term)) addPart(parts, { start, end });
      }
      if (search.hasAll() && parts.length >= settled) break;
      yield;
    }
    return search.hasAll() ? parts.slice(0, MOST_HIGHLIGHTS) : [];
  };
}

/** The words of each piece of a text. They are compared by their terms, stop words too. */
function* placedTerms(text: string): Generator<PlacedTerm[]> {
  let at = 0;
  let before = '';
  for (const piece of piecesOf(text)) {
    const half = halfPairBetween(before, piece.text);
    at -= lengthOf(half);
    yield placedWordsOf(half + piece.text).map(({ word, start, end }) => ({
      term: termOf(word),
      isStopWord: isStopWord(word),
      start: at + start,
      end: at + end,
    }));
    at += lengthOf(half + piece.text);
    before = piece.text;
  }
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/**
 * Pairs of characters overlap in scripts without spaces, and so do phrases. What is added ends last, and
 * may begin before parts that are there already.
 */
function addPart(parts: Highlight[], { start, end }: Highlight): void {
  const added = { start, end };
  for (let last = parts.at(-1); last && added.start < last.end; last = parts.at(-1)) {
    added.start = Math.min(added.start, last.start);
    added.end = Math.max(added.end, last.end);
    parts.pop();
  }
  parts.push(added);
}
