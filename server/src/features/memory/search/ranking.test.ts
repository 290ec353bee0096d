import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreOf, similarityOf, trustOf, type Scores } from './ranking.ts';

const mark = fc.double({ min: 0, max: 1, noNaN: true });
const scores = fc.record<Scores>({
  vector: fc.option(mark),
  lexical: mark,
  rerank: fc.option(mark),
});

describe('the score', () => {
  it('is a chance, and grows with every part', () => {
    fc.assert(
      fc.property(scores, mark, mark, (one, trust, more) => {
        const at = { trust, among: 100 };
        const score = scoreOf(one, at);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThan(1);
        for (const part of ['vector', 'lexical', 'rerank'] as const) {
          if (one[part] === null) continue;
          const better = { ...one, [part]: Math.min(1, one[part] + more) };
          expect(scoreOf(better, at)).toBeGreaterThanOrEqual(score);
        }
        expect(scoreOf(one, { trust, among: 3 })).toBeGreaterThan(score);
        const many = [1_000, 1_000_000].map((among) => scoreOf(one, { trust, among }));
        expect(many[0]).toBe(many[1]);
      }),
    );
  });

  it('does not depend on the second ranking if the model knows none of the words', () => {
    const of = (rerank: number) => similarityOf({ vector: 0.5, lexical: 0.5, rerank }, 0);
    expect(of(0)).toBe(of(1));
  });
});

describe('trust', () => {
  it.each([
    [[], [], 1],
    [[true, true], [1, 5], 1],
    [[true, false], [3, 3], 1],
    [[true, false], [1, 3], 0.5],
    [[false, false], [1, 3], 0],
  ])('words known %j with the weights %j: %d', (isKnown, weights, trust) => {
    expect(trustOf(isKnown, Float32Array.from(weights))).toBe(trust);
  });
});
