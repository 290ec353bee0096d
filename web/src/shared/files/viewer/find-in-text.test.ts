import { describe, expect, it } from 'vitest';
import { findInText } from './find-in-text.ts';

describe('finding words on a page', () => {
  it('ignores case and line breaks, and shows the words around', () => {
    const text = 'The notice\nperiod is three months. The NOTICE PERIOD ends in May.';
    expect(findInText(text, ' notice period ')).toEqual({
      count: 2,
      before: 'The ',
      match: 'notice period',
      after: ' is three months. The NOTICE PERIOD ends in May.',
    });
  });

  it('takes what is typed as it is', () => {
    expect(findInText('It costs (about) $5.00-$6.00 [net]', '$5.00-$6.00 [')?.count).toBe(1);
    expect(findInText('abc', '.')).toBeUndefined();
    expect(findInText('a/b', 'a/b')?.count).toBe(1);
  });

  it('finds nothing for nothing', () => {
    expect(findInText('abc', ' ')).toBeUndefined();
    expect(findInText('', 'a')).toBeUndefined();
  });
});
