import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../text/words/in-turns.ts';
import { cutPassages, type CutPassage } from './cut-passages.ts';

const cut = (text: string, heading: string | null = null) => atOnce(cutPassages(text, heading));
const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0;
const sentence = (number: number) => `Sentence number ${number} has exactly eight words here.`;
const sentences = (count: number) => Array.from({ length: count }, (_, at) => sentence(at));

describe('passages', () => {
  it('have up to 200 words, end between sentences, and overlap where a text goes on', () => {
    const { passages } = cut(sentences(80).join(' '));
    expect(passages.length).toBeGreaterThan(3);
    for (const [at, { text, start }] of passages.entries()) {
      expect(countWords(text)).toBeLessThanOrEqual(200);
      expect(text).toMatch(/^Sentence .* here\.$/);
      const before = passages[at - 1];
      if (before) expect(start).toBeLessThan(before.end);
    }
  });

  it('begin at a heading, have it, and do not overlap with what is above it', () => {
    const text = `# Notice\n${sentences(10).join(' ')}\n## Payment\n${sentences(10).join('\n')}`;
    const { passages, heading } = cut(text);
    expect(passages.map((passage) => passage.heading)).toEqual(['Notice', 'Payment']);
    expect(passages[1]?.text).toMatch(/^## Payment\nSentence number 0/);
    expect(heading).toBe('Payment');
  });

  it('of a page without a heading have the last one of the pages before', () => {
    expect(cut('It goes on.', 'Notice').passages[0]?.heading).toBe('Notice');
    expect(cut('# Payment\nAt once.', 'Notice').passages[0]?.heading).toBe('Payment');
    expect(cut('', 'Notice')).toEqual({ passages: [], heading: 'Notice' });
  });

  it('keep short sections together', () => {
    const text = Array.from({ length: 5 }, (_, at) => `# Point ${at}\nShort.`).join('\n');
    expect(cut(text).passages).toHaveLength(1);
  });

  it('do not grow without end, whatever a line has', () => {
    for (const text of [
      'x'.repeat(50_000),
      '漢'.repeat(20_000),
      '😀'.repeat(9_000),
      '. '.repeat(9_000),
    ]) {
      const { passages } = cut(text);
      for (const passage of passages) expect(Array.from(passage.text).length).toBeLessThan(1_700);
      expect(passages.every((passage) => passage.text.isWellFormed())).toBe(true);
    }
  });

  it('are where they say they are, in code points, and leave out no word', () => {
    const words = fc.array(
      fc.constantFrom(
        'word',
        'Ende.',
        '\n',
        '# Title\n',
        '😀',
        '漢字。',
        'é',
        '|',
        'x'.repeat(700),
      ),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(words, (drawn) => {
        const text = drawn.join(' ');
        const points = Array.from(text);
        const { passages } = cut(text);
        const covered = new Set<number>();
        for (const passage of passages) {
          expect(points.slice(passage.start, passage.end).join('')).toBe(passage.text);
          for (let at = passage.start; at < passage.end; at++) covered.add(at);
        }
        const missing = points.filter((point, at) => !covered.has(at) && point.trim() !== '');
        expect(missing).toEqual([]);
        expect(inOrder(passages)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

function inOrder(passages: readonly CutPassage[]): boolean {
  return passages.every(({ start, end }, at) => {
    const before = passages[at - 1];
    return start < end && (!before || (start > before.start && end > before.end));
  });
}
