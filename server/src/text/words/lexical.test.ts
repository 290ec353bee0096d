import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from './in-turns.ts';
import {
  hashTerm,
  indexText,
  MOST_TERMS_OF_TEXT,
  queryVector,
  rarityOf,
  saltOf,
} from './lexical.ts';
import { PIECE_CHARACTERS } from './pieces.ts';
import { termsOf } from './terms.ts';

function index(text: string, salt: string): { terms: number[]; weights: string } {
  const { terms, weights } = atOnce(indexText(text, [salt]));
  return { terms: terms[0] ?? [], weights };
}

/** A sparse vector as pgvector writes it. */
function read(vector: string): Map<number, number> {
  const [, entries = '', size] = /^\{(.*)\}\/(\d+)$/.exec(vector) ?? [];
  expect(size).toBe('1000000000');
  const pairs =
    entries === '' ? [] : entries.split(',').map((entry) => entry.split(':').map(Number));
  return new Map(pairs as [number, number][]);
}

function product(query: string, text: string): number {
  const weights = read(text);
  let sum = 0;
  for (const [at, weight] of read(query)) sum += weight * (weights.get(at) ?? 0);
  return sum;
}

const weightsOf = (text: string) => [...read(index(text, 's').weights).values()];
const ONE = queryVector(new Map([['appl', 1]]));
const markOf = (text: string) => product(ONE, index(text, 's').weights);

describe('indexText', () => {
  it('has the pair of characters that two pieces share', () => {
    const text = `${'東'.repeat(PIECE_CHARACTERS)}${'京'.repeat(10)}`;
    expect(index(text, 's').terms).toContain(hashTerm('東京', 's'));
    const spaced = `${'x'.repeat(PIECE_CHARACTERS - 1)}東 京`;
    expect(index(spaced, 's').terms).not.toContain(hashTerm('東京', 's'));
  });

  it('has one hash and one weight for each distinct term', () => {
    const { terms, weights } = index('apples, bread, Apple', 'salt');
    expect(terms).toEqual(
      [hashTerm('appl', 'salt'), hashTerm('bread', 'salt')].toSorted((a, b) => a - b),
    );
    expect(read(weights).size).toBe(2);
  });

  it('has neither for a text without terms', () => {
    expect(index('the 🙂', 'salt')).toEqual({ terms: [], weights: '{}/1000000000' });
  });

  it('gives a term that occurs once in a text of usual length the weight 1, more for repetitions, and never 1.9', () => {
    expect(weightsOf('apple')).toEqual([1]);
    expect(weightsOf('apple bread salt wine')).toEqual([1, 1, 1, 1]);
    const growing = [1, 2, 3, 10, 70].map((count) => markOf('apple '.repeat(count)));
    expect(growing).toEqual(growing.toSorted((a, b) => a - b));
    expect(Math.max(...growing)).toBeLessThan(1.9);
  });

  it('counts length only beyond the usual', () => {
    const among = (others: number) => markOf(`apple ${'bread '.repeat(others)}`);
    expect(among(79)).toBe(among(0));
    expect(among(160)).toBeLessThan(among(79));
    expect(among(1_600)).toBeLessThan(among(160));
  });

  it('keeps the terms of orgs and owners apart, and the weights alike', () => {
    const shared = index('apple', saltOf('org', null));
    const own = index('apple', saltOf('org', 'user'));
    const others = index('apple', saltOf('other', null));
    expect(new Set([shared.terms[0], own.terms[0], others.terms[0]]).size).toBe(3);
    expect([own.weights, others.weights]).toEqual([shared.weights, shared.weights]);
  });

  it('stays within the limits of the columns, whatever the text', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 300 });
    const property = fc.property(anyText, (text) => {
      const { terms, weights } = index(text, 'salt');
      expect(terms).toEqual([...new Set(terms)].toSorted((a, b) => a - b));
      expect(terms.every(Number.isSafeInteger)).toBe(true);
      for (const [at, weight] of read(weights)) {
        expect(at).toBeGreaterThanOrEqual(1);
        expect(at).toBeLessThanOrEqual(1_000_000_000);
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThan(1.9);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('never has so many terms that writing them delays the database, whatever the text', () => {
    const letters = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => String.fromCodePoint(from + at));
    const han = letters(0x20000, 10_000);
    const squared = letters(0x3300, 88);
    const mixed = han.slice(0, 5_000).flatMap((letter, at) => [letter, squared[at % 88]]);
    for (const text of [han.join(''), mixed.join(''), han.slice(0, 5_000).join(' ')]) {
      const { terms, weights } = index(text, 's');
      expect(terms).toHaveLength(MOST_TERMS_OF_TEXT);
      expect(read(weights).size).toBeLessThanOrEqual(MOST_TERMS_OF_TEXT);
    }
  });

  it('reads a long text piece by piece, so that no memory blocks the event loop', () => {
    const words = Array.from({ length: 1_000 }, (_, at) => `${at.toString(36)}word`).join(' ');
    const steps = [...indexText(words, ['a', 'b'])];
    const pieces = Math.ceil(words.length / PIECE_CHARACTERS);
    // One for each piece, then one for each 500 terms that are hashed.
    expect(steps.length).toBeGreaterThanOrEqual(pieces + 2);
  });

  it('is the same however many pieces the text is read in', () => {
    const sentence = (at: number) => `Sentence ${at} is about apples, bread and whatever follows.`;
    const text = Array.from({ length: 150 }, (_, at) => sentence(at)).join(' ');
    const terms = new Set(termsOf(text));
    expect(text.length).toBeGreaterThan(3 * PIECE_CHARACTERS);
    expect(index(text, 's').terms).toEqual(
      [...terms].map((term) => hashTerm(term, 's')).toSorted((a, b) => a - b),
    );
  });
});

describe('queryVector', () => {
  it('gives a text with all its terms 1, with none 0, and otherwise the share by rarity', () => {
    const query = queryVector(
      new Map([
        ['appl', 3],
        ['bread', 1],
      ]),
    );
    const markOf = (text: string) => product(query, index(text, 's').weights);
    expect(markOf('apple bread')).toBeCloseTo(1, 5);
    expect(markOf('apple')).toBeCloseTo(0.75, 5);
    expect(markOf('bread')).toBeCloseTo(0.25, 5);
    expect(markOf('wine')).toBe(0);
  });

  it('is empty for a query without terms', () => {
    expect(queryVector(new Map())).toBe('{}/1000000000');
  });
});

describe('rarityOf', () => {
  it('falls with the number of memories that have the term, and is never negative', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (withTerm, all) => {
        expect(rarityOf(withTerm, all)).toBeGreaterThan(0);
        expect(rarityOf(withTerm + 1, Math.max(all, withTerm + 1))).toBeLessThan(
          rarityOf(withTerm, Math.max(all, withTerm + 1)),
        );
      }),
    );
  });

  it('is the one of BM25', () => {
    expect(rarityOf(1, 10)).toBeCloseTo(Math.log(1 + 9.5 / 1.5), 10);
    expect(rarityOf(0, 0)).toBeCloseTo(Math.log(2), 10);
  });
});
