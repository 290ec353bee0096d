import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashTerm, indexText, queryVector, rarityOf, saltOf } from './lexical.ts';

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

const weightsOf = (text: string) => [...read(indexText(text, 's').weights).values()];
const ONE = queryVector(new Map([['appl', 1]]));
const markOf = (text: string) => product(ONE, indexText(text, 's').weights);

describe('indexText', () => {
  it('has one hash and one weight for each distinct term', () => {
    const { terms, weights } = indexText('apples, bread, Apple', 'salt');
    expect(terms).toEqual(
      [hashTerm('appl', 'salt'), hashTerm('bread', 'salt')].toSorted((a, b) => a - b),
    );
    expect(read(weights).size).toBe(2);
  });

  it('has neither for a text without terms', () => {
    expect(indexText('the 🙂', 'salt')).toEqual({ terms: [], weights: '{}/1000000000' });
  });

  it('gives a term once in a usual text the weight 1, more for repetitions, and never 1.9', () => {
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
    const shared = indexText('apple', saltOf('org', null));
    const own = indexText('apple', saltOf('org', 'user'));
    const others = indexText('apple', saltOf('other', null));
    expect(new Set([shared.terms[0], own.terms[0], others.terms[0]]).size).toBe(3);
    expect([own.weights, others.weights]).toEqual([shared.weights, shared.weights]);
  });

  it('stays within what the columns hold, whatever the text', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(anyText, (text) => {
        const { terms, weights } = indexText(text, 'salt');
        expect(terms).toEqual([...new Set(terms)].toSorted((a, b) => a - b));
        expect(terms.every(Number.isSafeInteger)).toBe(true);
        for (const [at, weight] of read(weights)) {
          expect(at).toBeGreaterThanOrEqual(1);
          expect(at).toBeLessThanOrEqual(1_000_000_000);
          expect(weight).toBeGreaterThan(0);
          expect(weight).toBeLessThan(1.9);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has fewer entries than pgvector takes, for 10,000 characters of any kind', () => {
    const letters = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => String.fromCodePoint(from + at));
    const han = letters(0x20000, 10_000);
    const squared = letters(0x3300, 88);
    const mixed = han.slice(0, 5_000).flatMap((letter, at) => [letter, squared[at % 88]]);
    for (const text of [han.join(''), mixed.join(''), han.slice(0, 5_000).join(' ')]) {
      expect(read(indexText(text, 's').weights).size).toBeLessThanOrEqual(16_000);
    }
  });
});

describe('queryVector', () => {
  it('gives a text with all of its terms 1, with none 0, and otherwise the share by rarity', () => {
    const query = queryVector(
      new Map([
        ['appl', 3],
        ['bread', 1],
      ]),
    );
    const markOf = (text: string) => product(query, indexText(text, 's').weights);
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

  it('is that of BM25', () => {
    expect(rarityOf(1, 10)).toBeCloseTo(Math.log(1 + 9.5 / 1.5), 10);
    expect(rarityOf(0, 0)).toBeCloseTo(Math.log(2), 10);
  });
});
