import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../text/words/in-turns.ts';
import { PIECE_CHARACTERS } from '../../../text/words/pieces.ts';
import { termsOf } from '../../../text/words/terms.ts';
import { bestPiece, readTexts } from './read-texts.ts';

const wanted = new Set(termsOf('apple pricing'));

describe('reading texts for a query', () => {
  it('works piece by piece, so that 80 long messages do not block the event loop', () => {
    const long = 'We met on Monday and talked about the budget. '.repeat(430).slice(0, 20_000);
    const texts = Array.from({ length: 80 }, () => long);
    const steps = readTexts(texts, wanted);
    let taken = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) taken++;
    const characters = texts.join('').length;
    expect(taken).toBeGreaterThanOrEqual(characters / PIECE_CHARACTERS - 1);
    expect(step.value).toHaveLength(80);
  });

  it('takes many short texts in one step', () => {
    const texts = Array.from({ length: 60 }, (_, at) => `Note ${at} about the apple.`);
    expect([...readTexts(texts, wanted)].length).toBeLessThan(3);
  });

  it('scores as if the text were read at once, and finds the piece that fits best', () => {
    const padding = 'Nothing of it matters to anybody here. '.repeat(200);
    const text = `An apple. ${padding} The pricing of an apple. ${padding}`;
    const [read] = atOnce(readTexts([text], wanted));
    expect(read?.counts).toEqual(
      new Map([
        ['appl', 2],
        ['price', 1],
      ]),
    );
    expect(read?.length).toBe(termsOf(text).length);
    const rarities = new Map([
      ['appl', 1],
      ['price', 1],
    ]);
    expect(read && bestPiece(read, rarities).text).toContain('The pricing of an apple.');
    const [none] = atOnce(readTexts([padding], wanted));
    expect(none && bestPiece(none, rarities).isFirst).toBe(true);
  });
});
