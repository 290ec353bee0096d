import { describe, expect, it } from 'vitest';
import { marksOf, plainMatch } from './marks-of.ts';

/** The marked parts of a text. */
function cut(text: string, highlights: { start: number; end: number }[]): string[] {
  return marksOf(text, highlights).map(({ from, to }) => text.slice(from, to));
}

describe('the highlights of a message', () => {
  it('are where the words are', () => {
    const text = 'The price, and the prices';
    expect(
      cut(text, [
        { start: 4, end: 9 },
        { start: 19, end: 25 },
      ]),
    ).toEqual(['price', 'prices']);
  });

  it('count an emoji as one character', () => {
    expect(cut('🎉🎉 launch 👩‍🚀 day', [{ start: 3, end: 9 }])).toEqual(['launch']);
    expect(cut('🎉🎉 launch 👩‍🚀 day', [{ start: 14, end: 17 }])).toEqual(['day']);
  });

  it('end with the text', () => {
    expect(cut('short', [{ start: 2, end: 99 }])).toEqual(['ort']);
  });
});

describe('a message that was found', () => {
  it('is plain text, with the words marked where they are in it', () => {
    const { text, marks } = plainMatch(
      '## 🎉 **Prices**\n\n| a | [b](https://prices.example) |\n|---|---|',
      [
        { start: 7, end: 13 },
        { start: 34, end: 40 },
      ],
    );
    expect(text).toBe('🎉 Prices: a · b');
    expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['Prices']);
  });
});
