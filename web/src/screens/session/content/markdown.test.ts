import { Tokenizer } from 'marked';
import { describe, expect, it, vi } from 'vitest';
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

/** Those that look through all that follows. */
const SCANS = ['blockquote', 'list', 'emStrong', 'del'] as const;
/** Those whose patterns look ahead from every character. */
const LOOKS_AHEAD = ['inlineText', 'url'] as const;

interface Work {
  steps: number;
  scanned: number;
  /** The longest text of a look ahead. */
  furthest: number;
}

/** Counts what the library is asked to do, instead of timing it. */
function read(source: string) {
  const work: Work = { steps: 0, scanned: 0, furthest: 0 };
  const watch = (names: readonly (keyof Tokenizer)[], note: (src: string) => void) => {
    for (const name of names) {
      const original = Tokenizer.prototype[name] as (...args: unknown[]) => never;
      vi.spyOn(Tokenizer.prototype, name as 'url').mockImplementation(function (
        this: Tokenizer,
        ...args
      ) {
        note(args[0]);
        return Reflect.apply(original, this, args);
      });
    }
  };
  watch(['space', 'escape'], () => work.steps++);
  watch(SCANS, (src) => (work.scanned += src.length));
  watch(LOOKS_AHEAD, (src) => (work.furthest = Math.max(work.furthest, src.length)));
  try {
    return { ...measure(readMarkdown(source)), work };
  } finally {
    vi.restoreAllMocks();
  }
}

function expectBounded({ steps, scanned, furthest }: Work): void {
  expect(steps).toBeLessThanOrEqual(30_000);
  expect(scanned).toBeLessThanOrEqual(1_500_000);
  expect(furthest).toBeLessThanOrEqual(2_048);
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
    const { depth, count, work } = read(fill(piece));
    expectBounded(work);
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
    const { depth, count, work } = read(source);
    expectBounded(work);
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
