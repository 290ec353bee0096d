import { describe, expect, it } from 'vitest';
import { toStreamSafe } from './stream-safe.ts';

const CODE_POINTS = Array.from({ length: 0x110000 }, (_, at) => at)
  .filter((at) => at < 0xd800 || at > 0xdfff)
  .map((at) => String.fromCodePoint(at));

/** Whether normalisation moves it, to before a mark of the highest class there is. */
function isSorted(letter: string): boolean {
  const highest = 'a\u0345';
  return `${highest}${letter}`.normalize('NFKD') !== highest + letter.normalize('NFKD');
}

describe('text in stream-safe format', () => {
  it('has no run of more than 30 characters that normalisation sorts, of whatever kind', () => {
    const sorted = CODE_POINTS.filter(isSorted);
    expect(sorted.length).toBeGreaterThan(800);
    const unbroken = sorted.filter((letter) => {
      const runs = toStreamSafe(`${letter}\u0334`.repeat(200)).split('\u034f');
      return runs.some((run) => Array.from(run).length > 30);
    });
    expect(unbroken).toEqual([]);
  });

  it('is the same text for everything people write', () => {
    const texts = [
      'Zoë',
      'e\u0301',
      'Hà Nội',
      'नमस्ते',
      'ｶﾞﾗｽ',
      'שָׁלוֹם',
      '👩‍👩‍👧',
      `Z${'\u0300\u0316'.repeat(15)}algo`,
    ];
    expect(texts.map(toStreamSafe)).toEqual(texts);
  });
});
