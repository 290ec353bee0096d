import { describe, expect, it } from 'vitest';
import { splitPages } from './split-pages.ts';

async function pagesOf(blocks: string[], size = 100): Promise<string[]> {
  return Array.fromAsync(splitPages(blocks, size));
}

describe('splitPages', () => {
  it('ends a page between paragraphs, and loses nothing', async () => {
    const blocks = Array.from(
      { length: 30 },
      (_, index) => `Paragraph ${index} ${'x'.repeat(20)}\n\n`,
    );
    const pages = await pagesOf(blocks);
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.join('')).toBe(blocks.join(''));
    for (const page of pages) expect(page).toMatch(/^Paragraph [^]*\n\n$/);
  });

  it('keeps a heading with what follows it', async () => {
    const pages = await pagesOf([`${'a'.repeat(90)}\n\n`, '# Next\n\n', `${'b'.repeat(80)}\n\n`]);
    expect(pages.map((page) => page.slice(0, 6))).toEqual(['aaaaaa', '# Next']);
  });

  it('divides what is too long at words, and never inside a character', async () => {
    const words = await pagesOf(['word '.repeat(2000)]);
    expect(words.every((page) => page.length <= 100 && page.endsWith(' '))).toBe(true);
    const faces = await pagesOf([`x${'😀'.repeat(5000)}`], 101);
    expect(faces.join('')).toHaveLength(10_001);
    expect(faces.every((page) => page.isWellFormed())).toBe(true);
  });
});
