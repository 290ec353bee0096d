import { toStreamSafe } from '../../../stream-safe.ts';
import { regular } from './irregular.ts';
import { stem } from './stem.ts';

/** Words that say nothing about a text's subject. */
const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are as at be because been before being below
   between both but by can could d did do does doing don down during each few for from further had has
   have having he her here hers him his how i if in into is it its just ll m me more most my no nor not
   now of off on once only or other our ours out over own re s same she should so some such t than that
   the their theirs them themselves then there these they this those through to too under until up ve
   very was we were what when where which while who whom why will with would you your yours yourself`.split(
    /\s+/,
  ),
);

/** Scripts written without spaces. Their terms are pairs of adjacent characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Longer terms are not words, and are truncated. */
const LONGEST_TERM = 64;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The terms of a text, in order and with repetitions, without the stop words. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) {
    if (!STOP_WORDS.has(word)) terms.push(termOf(word));
  }
  return terms;
}

/** 2,000 characters of English have about 200 distinct terms. */
const MOST_QUERY_TERMS = 256;

/** The distinct terms of a query, in order. */
export function queryTermsOf(query: string): string[] {
  return [...new Set(termsOf(query))].slice(0, MOST_QUERY_TERMS);
}

/** The term of a word, which must be in lower case and without accents. */
export function termOf(word: string): string {
  return stem(regular(word));
}

function wordsOf(text: string): string[] {
  // Unify letters that only look different before removing accents; some become several letters.
  const folded = toStreamSafe(text)
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
  const words: string[] = [];
  for (const [run] of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    let rest = run;
    if (UNSPACED.test(run)) {
      rest = run.replaceAll(UNSPACED, (unspaced) => {
        words.push(...pairsOf(unspaced));
        return ' ';
      });
    }
    UNSPACED.lastIndex = 0;
    for (const word of rest.split(' ')) if (word !== '') words.push(word.slice(0, LONGEST_TERM));
  }
  return words;
}

function pairsOf(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}
