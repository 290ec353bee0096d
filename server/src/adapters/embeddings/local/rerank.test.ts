import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScore, MAX_QUERY_TOKENS, sliceMemories } from './rerank.ts';
import { createTokenPack, packToken } from './token-vectors.ts';

const packOf = (vectors: number[][], dimensions = 8) => {
  const pack = createTokenPack(dimensions, vectors.length);
  vectors.forEach((vector, at) => packToken(pack, at, Float32Array.from(vector)));
  return pack;
};

const scoreMemories = (query: Uint8Array, weights: Float32Array, memories: (Uint8Array | null)[]) =>
  memories.map(createScore(query, weights));

const cosine = (a: number[], b: number[]) => {
  const dot = (x: number[], y: number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 })
  .filter((each) => each.some((value) => Math.abs(value) > 0.01));
const vectors = fc.array(vector, { minLength: 1, maxLength: 9 });

describe('re-ranking', () => {
  it('is the weighted mean of the best cosines, within the precision of eight bits', () => {
    const weight = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(
        vectors,
        fc.array(weight, { minLength: 9, maxLength: 9 }),
        vectors,
        (query, weights, memory) => {
          const total = query.reduce((sum, _, at) => sum + (weights[at] ?? 0), 0);
          const best = query.map((each) =>
            Math.max(0, ...memory.map((other) => cosine(each, other))),
          );
          const wanted =
            best.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / total;
          const [score] = scoreMemories(packOf(query), Float32Array.from(weights), [
            packOf(memory),
          ]);
          expect(score).toBeCloseTo(wanted, 1);
          expect(Math.abs((score ?? 9) - wanted)).toBeLessThan(0.02);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('is null if there is nothing to compare', () => {
    const query = packOf([[1, 0, 0, 0, 0, 0, 0, 0]]);
    const one = Float32Array.of(1);
    const useless = [
      null,
      packOf([]),
      packOf([[1, 2]], 2),
      Uint8Array.of(),
      Uint8Array.of(9, 8, 1, 0),
    ];
    expect(scoreMemories(query, one, [...useless, query])).toEqual([...useless.map(() => null), 1]);
    expect(scoreMemories(packOf([]), one, [query])).toEqual([null]);
    expect(scoreMemories(query, Float32Array.of(0), [query])).toEqual([null]);
    expect(scoreMemories(query, Float32Array.of(), [query])).toEqual([null]);
  });

  it('looks only at the heaviest tokens of a long query', () => {
    const query = Array.from({ length: 200 }, (_, at) => (at < MAX_QUERY_TOKENS ? [1, 0] : [0, 1]));
    const weights = Float32Array.from({ length: 200 }, (_, at) => (at < MAX_QUERY_TOKENS ? 2 : 1));
    const memories = [packOf([[1, 0]], 2), packOf([[0, 1]], 2)];
    expect(scoreMemories(packOf(query, 2), weights, memories)).toEqual([1, 0]);
  });

  it('works in slices of at most half a megabyte, so that a hundred long memories delay nobody', () => {
    const long = packOf(
      Array.from({ length: 512 }, () => Array.from({ length: 96 }, () => 1)),
      96,
    );
    const memories = [null, ...Array.from({ length: 100 }, () => long), null, packOf([[1, 0]], 2)];
    const slices = sliceMemories(memories);
    const bytesOf = ({ from, to }: { from: number; to: number }) =>
      memories.slice(from, to).reduce((sum, memory) => sum + (memory?.length ?? 0), 0);
    expect(Math.max(...slices.map(bytesOf))).toBeLessThanOrEqual(500_000);
    expect(slices.flatMap(({ from, to }) => memories.slice(from, to))).toEqual(memories);
    expect(sliceMemories([null, null])).toEqual([{ from: 0, to: 2 }]);
  });

  it('gives nothing for a token of zeros', () => {
    const zeros = packOf([[0, 0]], 2);
    expect(scoreMemories(packOf([[1, 0]], 2), Float32Array.of(1), [zeros])).toEqual([0]);
  });
});
