import { describe, expect, it } from 'vitest';
import { linesOf } from './page-lines.ts';

const item = (str: string, dir: string, x: number, width: number) => ({
  str,
  dir,
  width,
  transform: [12, 0, 0, 12, x, 700],
  hasEOL: false,
});

describe('a line of Hebrew', () => {
  it('has spaces around a number, which goes in the other direction', () => {
    const items = [item('המחיר הוא', 'rtl', 266, 56), item('250', 'ltr', 239, 23)];
    const [line] = linesOf([...items, item('שקלים', 'rtl', 202, 33)]);
    expect(line?.cells).toEqual(['המחיר הוא 250 שקלים']);
  });
});
