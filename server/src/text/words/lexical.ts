import { hash } from 'node:crypto';
import type { Steps } from './in-turns.ts';
import { piecesOf } from './pieces.ts';
import { mayComeAgain, remembering } from './remembering.ts';
import type { Language } from './languages.ts';
import { halfPairBetween, languageOfText, termsOf } from './terms.ts';

/** BM25's saturation, and how much of a long text's length counts against it. */
const K1 = 0.9;
const B = 0.75;
/** Texts up to this many terms count as equally long, so that a note isn't better for being short. */
const USUAL_LENGTH = 80;
/** The maximum number of dimensions of a sparse vector. */
const BUCKETS = 1_000_000_000;
/**
 * Only the first distinct terms of a text are indexed. 10,000 characters of English have 700; more would
 * block the embedded database's only session for too long.
 */
export const MOST_TERMS_OF_TEXT = 1_500;
/** Terms hashed per step: two milliseconds. */
const HASHED_AT_ONCE = 500;

export interface LexicalText {
  /** For each salt, the hashes of the distinct terms, ascending. */
  terms: number[][];
  /** The weight of each term in this text, as a sparse vector. */
  weights: string;
}

/** The salt makes a word's hash different in each org and in each person's PRIVATE memory. */
export function saltOf(orgId: string, ownerUserId: string | null): string {
  return ownerUserId === null ? orgId : `${orgId}/${ownerUserId}`;
}

/** Indexes a text in its language, in short steps. */
export function* indexText(text: string, salts: readonly string[]): Steps<LexicalText> {
  const { counts, length } = yield* countTerms(text, languageOfText(text));
  const weights = new Map<number, number>();
  const terms = salts.map((): number[] => []);
  let hashed = 0;
  for (const [term, count] of counts) {
    // Two terms rarely share a bucket. If they do, the higher weight counts.
    const bucket = bucketOf(term);
    weights.set(bucket, Math.max(weightOf(count, length), weights.get(bucket) ?? 0));
    salts.forEach((salt, at) => terms[at]?.push(hashTerm(term, salt)));
    if (++hashed % HASHED_AT_ONCE === 0) yield;
  }
  return {
    terms: terms.map((hashes) => hashes.toSorted((a, b) => a - b)),
    weights: sparseVector(weights),
  };
}

/** Only the hashes of the distinct terms, as English, in short steps. */
export function* hashTerms(text: string, salt: string): Steps<number[]> {
  const { counts } = yield* countTerms(text, 'en');
  const hashes: number[] = [];
  for (const term of counts.keys()) {
    hashes.push(hashTerm(term, salt));
    if (hashes.length % HASHED_AT_ONCE === 0) yield;
  }
  return hashes;
}

/** How often each term occurs, and how many there are in all. */
function* countTerms(
  text: string,
  language: Language,
): Steps<{ counts: Map<string, number>; length: number }> {
  const counts = new Map<string, number>();
  let length = 0;
  let before = '';
  for (const piece of piecesOf(text)) {
    const terms = termsOf(halfPairBetween(before, piece.text) + piece.text, language);
    before = piece.text;
    length += terms.length;
    for (const term of terms) {
      const count = counts.get(term) ?? 0;
      if (count > 0 || counts.size < MOST_TERMS_OF_TEXT) counts.set(term, count + 1);
    }
    yield;
  }
  return { counts, length };
}

/** The weight of a term by its count and the text's length: 1 for once in a text of usual length. */
export function weightOf(count: number, length: number): number {
  const excess = K1 * (1 - B + B * Math.max(1, length / USUAL_LENGTH));
  return (count * (K1 + 1)) / (count + excess);
}

/** 52 bits: few enough for a JavaScript number, and enough to avoid collisions within an org. */
export function hashTerm(term: string, salt: string): number {
  const salted = `${salt}\0${term}`;
  return mayComeAgain(term) ? hashAgain(salted) : hashOf(salted);
}

const hashOf = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 13), 16);
const hashAgain = remembering(hashOf);

/**
 * Each term's rarity, scaled so that a text with terms of rarity `whole` scores 1. A word may have several
 * terms, of which a text has one; default: all terms are of different words.
 */
export function queryVector(
  rarities: ReadonlyMap<string, number>,
  whole = sumOf(rarities.values()),
): string {
  const weights = new Map<number, number>();
  for (const [term, rarity] of rarities) weights.set(bucketOf(term), rarity / (whole || 1));
  return sparseVector(weights);
}

/** BM25's inverse document frequency. */
export function rarityOf(memoriesWithTerm: number, memories: number): number {
  // The two counts come from separate statements, so one may be newer than the other.
  const all = Math.max(memories, memoriesWithTerm);
  return Math.log(1 + (all - memoriesWithTerm + 0.5) / (memoriesWithTerm + 0.5));
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

function bucketOf(term: string): number {
  return (hashOf(term) % BUCKETS) + 1;
}

function sparseVector(weights: ReadonlyMap<number, number>): string {
  const entries = [...weights].map(([index, weight]) => `${index}:${weight.toFixed(6)}`);
  return `{${entries.join(',')}}/${BUCKETS}`;
}
