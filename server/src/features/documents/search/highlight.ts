import type { Steps } from '../../../text/words/in-turns.ts';
import { isStopWordIn, termIn, type Language } from '../../../text/words/languages.ts';
import { placedWordsOf, type ReadQuery } from '../../../text/words/terms.ts';

/** A part of a passage, in code points. */
export interface Highlight {
  start: number;
  end: number;
}

/** Where the words of a query are in each of the passages, one passage a step. */
export function* highlightAll(
  query: ReadQuery,
  passages: readonly { text: string; language: string }[],
): Steps<Highlight[][]> {
  const wanted = new Set(query.words.flatMap(({ terms }) => terms));
  const all: Highlight[][] = [];
  for (const { text, language } of passages) {
    all.push(highlightsIn(text, language as Language, wanted));
    yield;
  }
  return all;
}

/** Pairs of characters overlap in scripts without spaces, and become one part. */
function highlightsIn(text: string, language: Language, wanted: ReadonlySet<string>): Highlight[] {
  const parts: Highlight[] = [];
  for (const { word, start, end } of placedWordsOf(text)) {
    if (isStopWordIn(language, word)) continue;
    if (!wanted.has(termIn('en', word)) && !wanted.has(termIn(language, word))) continue;
    const last = parts.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else parts.push({ start, end });
  }
  return parts;
}
