import { hash } from 'node:crypto';
import { termsOf } from './terms.ts';

/** BM25's saturation, and how much of a long text's length counts against it. */
const K1 = 0.9;
const B = 0.75;
/** Texts up to this many terms count as equally long: a short note is not the better for being shorter. */
const USUAL_LENGTH = 80;
/** The most indices a sparse vector has. */
const BUCKETS = 1_000_000_000;

export interface LexicalText {
  /** Hashes of the distinct terms, ascending. */
  terms: number[];
  /** The weight of each term in this text, as a sparse vector. */
  weights: string;
}

/** A scope's salt: the same word of another org, or of somebody's own memory, has another hash. */
export function saltOf(orgId: string, ownerUserId: string | null): string {
  return ownerUserId === null ? orgId : `${orgId}/${ownerUserId}`;
}

export function indexText(text: string, salt: string): LexicalText {
  const byTerm = termWeights(text);
  const weights = new Map<number, number>();
  for (const [term, weight] of byTerm) {
    // Two terms in one bucket are so rare that the heavier one may stand for both.
    const bucket = bucketOf(term);
    weights.set(bucket, Math.max(weight, weights.get(bucket) ?? 0));
  }
  return {
    terms: [...byTerm.keys()].map((term) => hashTerm(term, salt)).toSorted((a, b) => a - b),
    weights: sparseVector(weights),
  };
}

/** How much each term counts in this text: 1 for once in a text of usual length. */
export function termWeights(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const terms = termsOf(text);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const length = K1 * (1 - B + B * Math.max(1, terms.length / USUAL_LENGTH));
  return new Map([...counts].map(([term, count]) => [term, (count * (K1 + 1)) / (count + length)]));
}

/** 52 bits: enough that two terms of one org never meet, and a number that JavaScript can hold. */
export function hashTerm(term: string, salt: string): number {
  return Number.parseInt(hash('sha256', `${salt}\0${term}`).slice(0, 13), 16);
}

/** The query's side of the product: each term's rarity, so scaled that a text with all of them gets 1. */
export function queryVector(rarities: ReadonlyMap<string, number>): string {
  let sum = 0;
  for (const rarity of rarities.values()) sum += rarity;
  const weights = new Map<number, number>();
  for (const [term, rarity] of rarities) weights.set(bucketOf(term), rarity / (sum || 1));
  return sparseVector(weights);
}

/** BM25's inverse document frequency. */
export function rarityOf(memoriesWithTerm: number, memories: number): number {
  // Counted in two statements, so one may be ahead of the other.
  const all = Math.max(memories, memoriesWithTerm);
  return Math.log(1 + (all - memoriesWithTerm + 0.5) / (memoriesWithTerm + 0.5));
}

function bucketOf(term: string): number {
  return (Number.parseInt(hash('sha256', term).slice(0, 13), 16) % BUCKETS) + 1;
}

function sparseVector(weights: ReadonlyMap<number, number>): string {
  const entries = [...weights].map(([index, weight]) => `${index}:${weight.toFixed(6)}`);
  return `{${entries.join(',')}}/${BUCKETS}`;
}
