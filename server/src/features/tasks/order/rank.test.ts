import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankBetween, ranksBetween } from './rank.ts';

const isSorted = (ranks: readonly string[]) =>
  ranks.every((rank, at) => at === 0 || (ranks[at - 1] as string) < rank);

describe('rankBetween', () => {
  it('keeps a list in order, wherever something is put', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1000 }), { maxLength: 60 }), (places) => {
        const ranks: string[] = [];
        for (const place of places) {
          const at = place % (ranks.length + 1);
          ranks.splice(at, 0, rankBetween(ranks[at - 1] ?? null, ranks[at] ?? null));
        }
        expect(isSorted(ranks)).toBe(true);
      }),
    );
  });

  it.each([
    ['last', (ranks: string[]) => ranks.push(rankBetween(ranks.at(-1) ?? null, null)), 16],
    ['first', (ranks: string[]) => ranks.unshift(rankBetween(null, ranks[0] ?? null)), 16],
    ['second', (ranks: string[]) => second(ranks), 216],
  ])('keeps ranks short with 1,000 put %s', (_where, put, longest) => {
    const ranks: string[] = ['5000000000000000', '5000000000000001'];
    for (let added = 0; added < 1_000; added++) put(ranks);
    expect(isSorted(ranks)).toBe(true);
    expect(Math.max(...ranks.map(({ length }) => length))).toBeLessThanOrEqual(longest);
  });

  it('refuses to put something between equal ranks', () => {
    expect(() => rankBetween('5000000000000000', '5000000000000000')).toThrow(/no rank/);
  });
});

describe('ranksBetween', () => {
  it.each([
    [null, null],
    ['5000000000000000', null],
    [null, '5000000000000000'],
    ['5000000000000000', '5000000000000000V'],
  ])('spreads 500 between %s and %s', (before, after) => {
    const ranks = ranksBetween(before, after, 500);
    const ends = [before, ...ranks, after].filter((rank) => rank !== null);
    expect([ranks.length, isSorted(ends)]).toEqual([500, true]);
    expect(Math.max(...ranks.map(({ length }) => length))).toBeLessThan(24);
  });
});

function second(ranks: string[]): void {
  ranks.splice(1, 0, rankBetween(ranks[0] ?? null, ranks[1] ?? null));
}
