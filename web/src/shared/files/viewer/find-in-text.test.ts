import { describe, expect, it } from 'vitest';
import { findInText } from './find-in-text.ts';

const found = (text: string, query: string) =>
  findInText(text, query).map(({ from, to }) => text.slice(from, to));

describe('finding words in a text', () => {
  it('ignores case and line breaks, and cells of tables', () => {
    const text = 'The notice\nperiod is three months. The NOTICE PERIOD ends. Notice | Period';
    expect(found(text, ' notice period ')).toEqual([
      'notice\nperiod',
      'NOTICE PERIOD',
      'Notice | Period',
    ]);
  });

  it('takes what is typed as it is', () => {
    expect(found('It costs (about) $5.00-$6.00 [net]', '$5.00-$6.00 [')).toHaveLength(1);
    expect(found('abc', '.')).toEqual([]);
    expect(found('a/b', 'a/b')).toEqual(['a/b']);
  });

  it('finds nothing for nothing', () => {
    expect(found('abc', ' ')).toEqual([]);
    expect(found('', 'a')).toEqual([]);
  });
});
