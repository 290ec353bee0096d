import { describe, expect, it } from 'vitest';
import { findEmojiQuery } from './emoji-names.ts';

const find = (text: string) => findEmojiQuery(text, text.length)?.query;

describe('the name of an emoji', () => {
  it.each([
    [':ta', 'ta'],
    ['well done :tada', 'tada'],
    ['(:+1', '+1'],
    ['👍:white_check', 'white_check'],
    ['line\n:-1', '-1'],
    [':Tada', 'Tada'],
  ])('is typed in %j', (text, name) => expect(find(text)).toBe(name));

  it.each([':', ':t', 'at 10:30', 'https://', 'a::b', 'note:this', ':ta da', '`:ta', '```\n:ta'])(
    'is not typed in %j',
    (text) => expect(find(text)).toBeUndefined(),
  );

  it('is what is before the caret', () => {
    expect(findEmojiQuery('x :tada y', 5)).toEqual({ from: 2, query: 'ta' });
  });
});
