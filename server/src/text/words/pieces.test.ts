import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PIECE_CHARACTERS, piecesOf } from './pieces.ts';

describe('the pieces of a text', () => {
  it('add up to the text, each of bounded length, with whole characters', () => {
    const texts = [
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .constantFrom('a', 'word ', '🙂', '東京', '\n', '\u0301', 'x。')
        .map((unit) => unit.repeat(3_000)),
    ];
    fc.assert(
      fc.property(fc.oneof(...texts), (text) => {
        const pieces = [...piecesOf(text)];
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(pieces.every((piece) => piece.text.length <= PIECE_CHARACTERS)).toBe(true);
        expect(pieces.every((piece) => piece.text.isWellFormed())).toBe(text.isWellFormed());
        expect(pieces.map(({ isFirst }) => isFirst)).toEqual(pieces.map((_, at) => at === 0));
        expect(pieces.findIndex(({ isLast }) => isLast)).toBe(pieces.length - 1);
      }),
    );
  });

  it('are cut between words', () => {
    const text = 'Every word of it stays whole. '.repeat(300);
    for (const { text: piece } of [...piecesOf(text)].slice(1)) expect(piece).toMatch(/^[\s.]/);
  });
});
