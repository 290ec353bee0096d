import { describe, expect, it } from 'vitest';
import { readMarkdown, type Token } from './markdown.ts';

const LENGTH = 20_000;
const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);

function measure(tokens: readonly Token[]): { depth: number; count: number } {
  let depth = 0;
  let count = 0;
  for (const token of tokens) {
    const { items, header, rows, tokens } = token as unknown as Record<string, unknown>;
    const children = [items, header, rows, tokens].flatMap(listOf);
    const below = measure(children);
    depth = Math.max(depth, below.depth + 1);
    count += below.count + 1;
  }
  return { depth, count };
}

/** A table's rows are lists of cells, and a cell's `header` is not a list. */
function listOf(value: unknown): Token[] {
  return Array.isArray(value) ? value.flat() : [];
}

describe('a text designed to be slow', () => {
  it.each([
    '> ',
    '>',
    '- ',
    '1. ',
    '> - ',
    '> - > - > - a\nb\n',
    '[',
    '![',
    '[a](',
    '[[[[a](b)](b)](b)](b) ',
    '*',
    '**x* ',
    'a*',
    'a**b',
    '**a*',
    'a_b',
    '*a _b ',
    '~~a ',
    '`a',
    '``` \n',
    '<a href="',
    '<!--',
    '|a',
    '|a|\n|-|\n',
    'a|b\n-|-\n',
    'http://',
    'www.',
    'a@b.',
    '&amp;',
    '\\',
    ' ',
    'a \n',
    '\t',
    '- a\n',
    '[a]: b\n',
    '👍',
    '\u0301',
  ])('%j repeated', (piece) => {
    const start = performance.now();
    const { depth, count } = measure(readMarkdown(fill(piece)));
    // Far more than needed, because the machine may be busy. Without the limits, some take minutes.
    expect(performance.now() - start).toBeLessThan(4_000);
    expect(depth).toBeLessThan(40);
    expect(count).toBeLessThan(60_000);
  });

  it.each([
    ['many spaces', `a${' '.repeat(LENGTH)}b`],
    ['many entities in a link', `http://a.com${fill('&amp;')}`],
    ['brackets in brackets', `${'['.repeat(4_000)}a${'](b)'.repeat(4_000)}`],
    ['lists in lists', Array.from({ length: 190 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
    [
      'a table padded to its header',
      `${'|a'.repeat(4_000)}|\n${'|-'.repeat(4_000)}|\n${'|\n'.repeat(2_000)}`,
    ],
  ])('%s', (_, source) => {
    const start = performance.now();
    const { depth, count } = measure(readMarkdown(source));
    expect(performance.now() - start).toBeLessThan(4_000);
    expect(depth).toBeLessThan(40);
    expect(count).toBeLessThan(60_000);
  });
});

describe('reading again', () => {
  it('returns the same tokens', () => {
    expect(readMarkdown('**a**')).toBe(readMarkdown('**a**'));
  });

  it('shows text that is far too long as it was written', () => {
    const source = '*a* '.repeat(30_000);
    expect(readMarkdown(source)).toEqual([expect.objectContaining({ type: 'text', raw: source })]);
  });
});
