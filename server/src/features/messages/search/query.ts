import { queryTermsOf } from '../../../words/terms.ts';

/** What to look for. */
export interface ParsedQuery {
  /** Distinct, the phrases' first. */
  terms: string[];
  /** Each as text. All must occur. */
  phrases: string[];
  /** The terms of the phrases: a match has all of them. */
  required: string[];
}

/** More would not make a better search, but a slower one. */
const MOST_TERMS = 8;
const PHRASE = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»/g;

/** Quoted parts are phrases. There are no operators: everything else is words. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  for (const [, ...quoted] of query.matchAll(PHRASE)) {
    phrases.push(quoted.find((text) => text !== undefined) ?? '');
  }
  const required = queryTermsOf(phrases.join(' \n ')).slice(0, MOST_TERMS);
  const terms = [...new Set([...required, ...queryTermsOf(query)])].slice(0, MOST_TERMS);
  return {
    terms,
    required,
    // One without terms, such as "to be or not to be", can't be looked up, and is not required.
    phrases: phrases.filter((phrase) => queryTermsOf(phrase).length > 0),
  };
}
