import { toStreamSafe } from '../stream-safe.ts';
import { isStopWordIn, languageOf, LANGUAGES, termIn, type Language } from './languages.ts';
import { PIECE_CHARACTERS } from './pieces.ts';

/** Scripts written without spaces. Their terms are pairs of adjacent characters. */
const UNSPACED_LETTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const UNSPACED = new RegExp(`${UNSPACED_LETTER}+`, 'gu');
const UNSPACED_START = new RegExp(`^\\p{Mn}{0,4}(?!\\p{Mn})${UNSPACED_LETTER}`, 'u');
const UNSPACED_END = new RegExp(`(?!\\p{Mn})${UNSPACED_LETTER}\\p{Mn}{0,4}$`, 'u');

/** Longer terms are not words, and are truncated. */
const LONGEST_TERM = 64;

/**
 * The terms of a text, in order and with repetitions, without the stop words. Messages and tasks are indexed
 * as English, whatever they are; so are memories that a release up to 0.1.0 wrote.
 */
export function termsOf(text: string, language: Language = 'en'): string[] {
  const terms: string[] = [];
  eachWord(fold(text), (word) => {
    if (!isStopWordIn(language, word)) terms.push(termIn(language, word));
  });
  return terms;
}

/** Whether an English text or a query of unknown language says nothing with the word. */
export function isStopWord(word: string): boolean {
  return isStopWordIn('en', word);
}

/** The English term of a word, which must be in lower case and without accents. */
export function termOf(word: string): string {
  return termIn('en', word);
}

/** The language that a text is indexed in, from its beginning. */
export function languageOfText(text: string): Language {
  return languageOf(wordsOf(text.slice(0, PIECE_CHARACTERS))) ?? 'en';
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(fold(text), (word) => words.push(word));
  return words;
}

/** 2,000 characters of English have about 200 distinct terms. */
const MOST_QUERY_TERMS = 256;

/** The distinct terms of a query, in order. */
export function queryTermsOf(query: string, language: Language = 'en'): string[] {
  return [...new Set(termsOf(query, language))].slice(0, MOST_QUERY_TERMS);
}

/** A word of a query, and the terms that it has in texts of different languages. */
export interface QueryWord {
  word: string;
  terms: string[];
}

export interface ReadQuery {
  /** Undefined if it can't be told, as for a few nouns. */
  language: Language | undefined;
  /** Distinct, without the stop words of its language. */
  words: QueryWord[];
}

/**
 * A query in texts of any language: the English terms, because what is not known to be in another language is
 * indexed as English, and those of its own language, or of all if it can't be told.
 */
export function readQuery(query: string): ReadQuery {
  const all = wordsOf(query);
  const language = languageOf(all);
  const languages = language === undefined ? LANGUAGES : new Set<Language>(['en', language]);
  const words = new Map<string, QueryWord>();
  for (const word of all) {
    if (words.size === MOST_QUERY_TERMS) break;
    if (isStopWordIn(language ?? 'en', word)) continue;
    const terms = [...new Set(Array.from(languages, (each) => termIn(each, word)))];
    const key = terms.join(' ');
    if (!words.has(key)) words.set(key, { word, terms });
  }
  return { language, words: [...words.values()] };
}

/** Where a word is in a text, in code points. */
export interface PlacedWord {
  word: string;
  start: number;
  end: number;
}

/** The words that `termsOf` sees, stop words too, in the order of the text and with their places. */
export function placedWordsOf(text: string): PlacedWord[] {
  const { folded, starts, ends } = foldWithPlaces(text);
  const words: PlacedWord[] = [];
  eachWord(folded, (word, from, to) => {
    words.push({ word, start: starts[from] ?? 0, end: ends[to - 1] ?? 0 });
  });
  return words.toSorted((a, b) => a.start - b.start);
}

/** The end of a piece of text that forms a pair with the beginning of the next piece. Empty if there is none. */
export function halfPairBetween(piece: string, next: string): string {
  if (!UNSPACED_START.test(next)) return '';
  return UNSPACED_END.exec(piece.slice(-10))?.[0] ?? '';
}

/** In lower case and without accents. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Unify letters that only look different before removing accents; some become several letters.
  return toStreamSafe(text)
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** ASCII and most Chinese characters: they have no accents to remove, and are most of what people write. */
function isPlain(character: string): boolean {
  return character < '\u00a0' || (character >= '\u4e00' && character <= '\u9fff');
}

/** The same, with the code points that each code unit of the result stands for. */
function foldWithPlaces(text: string): { folded: string; starts: number[]; ends: number[] } {
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = isPlain(character)
      ? character
      : character.normalize('NFKD').replaceAll(/\p{Mn}/gu, '');
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(at);
      ends.push(at + 1);
    }
    // An accent belongs to the letter before it.
    if (plain === '' && ends.length > 0) ends[ends.length - 1] = at + 1;
    folded += plain;
    at++;
  }
  // In lower case as a whole: a letter's form can depend on its neighbours. No length changes any more.
  return { folded: folded.toLowerCase(), starts, ends };
}

/** Calls `visit` with each word of a folded text and where it is. */
function eachWord(folded: string, visit: (word: string, from: number, to: number) => void): void {
  for (const { 0: run, index } of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    let rest = run;
    if (UNSPACED.test(run)) {
      rest = run.replaceAll(UNSPACED, (unspaced: string, at: number) => {
        eachPair(unspaced, index + at, visit);
        return ' '.repeat(unspaced.length);
      });
    }
    UNSPACED.lastIndex = 0;
    let from = index;
    for (const word of rest.split(' ')) {
      if (word !== '') visit(word.slice(0, LONGEST_TERM), from, from + word.length);
      from += word.length + 1;
    }
  }
}

function eachPair(
  run: string,
  from: number,
  visit: (word: string, from: number, to: number) => void,
): void {
  let [before, ...letters] = run;
  if (before === undefined) return;
  if (letters.length === 0) visit(run, from, from + run.length);
  let at = from;
  for (const letter of letters) {
    visit(before + letter, at, at + before.length + letter.length);
    at += before.length;
    before = letter;
  }
}
