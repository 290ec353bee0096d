import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TOKEN_VECTORS, placeTokens } from './token-vectors.ts';
import { MAX_WINDOW_TOKENS, splitIntoWindows } from './windows.ts';

/** A text whose words have this many tokens each. */
function textOf(lengths: number[]) {
  const wordOf = lengths.flatMap((length, at) => Array.from({ length }, () => at));
  return { words: lengths.map((_, at) => `w${at}`), ids: wordOf.map((at) => 2000 + at), wordOf };
}

describe('windows', () => {
  it('are one for an ordinary text, and one for an empty text', () => {
    expect(splitIntoWindows(textOf([]))).toEqual([{ from: 0, to: 0, keepFrom: 0, keepTo: 0 }]);
    expect(splitIntoWindows(textOf([254]))).toEqual([
      { from: 0, to: 254, keepFrom: 0, keepTo: 254 },
    ]);
  });

  it('cover a text, overlap, keep words whole, and keep each token once', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 80 });
    const property = fc.property(lengths, (each) => {
      const text = textOf(each);
      const end = Math.min(text.ids.length, 4096);
      const windows = splitIntoWindows(text);
      let kept = 0;
      for (const [at, { from, to, keepFrom, keepTo }] of windows.entries()) {
        expect(to - from).toBeLessThanOrEqual(MAX_WINDOW_TOKENS);
        expect(text.wordOf[from - 1]).not.toBe(text.wordOf[from] ?? 'none');
        if (to < end) expect(text.wordOf[to - 1]).not.toBe(text.wordOf[to]);
        expect(from <= keepFrom && keepFrom <= keepTo && keepTo <= to).toBe(true);
        expect(keepFrom).toBe(kept);
        kept = keepTo;
        const next = windows[at + 1];
        if (next) expect(to - next.from).toBeGreaterThanOrEqual(32);
      }
      expect(kept).toBe(end);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe('the tokens that are kept', () => {
  it('are everything except punctuation', () => {
    const text = { words: ['yes', ',', '…', 'no'], ids: [1, 2, 3, 4], wordOf: [0, 1, 2, 3] };
    expect(placeTokens(text)).toEqual({ places: Int32Array.of(0, -1, -1, 1), count: 2 });
  });

  it('of a long text are the first of each kind, then the second, in text order', () => {
    const ids = Array.from({ length: 1200 }, (_, at) => (at < 600 ? at % 300 : at));
    const text = { words: ['word'], ids, wordOf: ids.map(() => 0) };
    const { places, count } = placeTokens(text);
    expect(count).toBe(MAX_TOKEN_VECTORS);
    expect(places.slice(0, 300)).toEqual(Int32Array.from({ length: 300 }, (_, at) => at));
    expect(places.slice(300, 600).every((place) => place === -1)).toBe(true);
    expect(places[600]).toBe(300);
  });
});
