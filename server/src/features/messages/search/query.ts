import { isStopWord, placedWordsOf, queryTermsOf, termOf } from '../../../text/words/terms.ts';

/** What to look for. */
export interface ParsedQuery {
  /** Distinct, the phrases' first. */
  terms: string[];
  /** The terms of each, of stop words too. All must occur. */
  phrases: string[][];
  /** The terms of the phrases, without stop words: a match has all of them. */
  required: string[];
}

/** More would not make a better search, but a slower one. */
const MOST_TERMS = 8;
const PHRASE = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»/g;

/** Quoted parts are phrases. There are no operators: everything else is words. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[][] = [];
  const inPhrases = new Set<string>();
  for (const [, ...quoted] of query.matchAll(PHRASE)) {
    const words = placedWordsOf(quoted.find((text) => text !== undefined) ?? '');
    const sought = words.filter(({ word }) => !isStopWord(word));
    // One without such words, as "to be or not to be", can't be looked up, and is not required.
    if (sought.length === 0) continue;
    for (const { word } of sought) inPhrases.add(termOf(word));
    phrases.push(words.map(({ word }) => termOf(word)));
  }
  const required = [...inPhrases].slice(0, MOST_TERMS);
  const terms = [...new Set([...required, ...queryTermsOf(query)])].slice(0, MOST_TERMS);
  return { terms, required, phrases };
}
