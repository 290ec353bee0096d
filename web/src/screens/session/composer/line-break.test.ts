import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf } from './body.ts';
import { breakLine } from './line-break.ts';

/** The text after Enter at `|`, or undefined if it sends. */
function press(marked: string, isLine = false): string | undefined {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const change = breakLine(text, caret, caret, isLine);
  if (!change) return undefined;
  const changed = text.slice(0, change.from) + change.text + text.slice(change.to);
  return `${changed.slice(0, change.select[0])}|${changed.slice(change.select[0])}`;
}

describe('Enter', () => {
  it.each(['|', 'hello|', '- one|', 'a\n```\nb\n```|', '```inline```|', '`a|'])(
    'sends %j',
    (marked) => expect(press(marked)).toBeUndefined(),
  );

  it.each([
    ['```|', '```\n|\n```'],
    ['look:\n```ts|', 'look:\n```ts\n|\n```'],
    ['~~~~|', '~~~~\n|\n~~~~'],
    ['```\na|\n```', '```\na\n|\n```'],
    ['```\na|b', '```\na\n|b'],
    ['```\n- a|', '```\n- a\n|'],
    ['```|\nclosed\n```', '```\n|\nclosed\n```'],
    ['```\n```ts|', '```\n```ts\n|'],
  ])('in code makes a line: %j', (before, after) => expect(press(before)).toBe(after));
});

describe('Shift+Enter', () => {
  it.each([
    ['a|b', 'a\n|b'],
    ['- one|', '- one\n- |'],
    ['* one|two', '* one\n* |two'],
    ['  + one|', '  + one\n  + |'],
    ['9. one|', '9. one\n10. |'],
    ['1) one|', '1) one\n2) |'],
    ['- [x] done|', '- [x] done\n- [ ] |'],
    ['> said|', '> said\n> |'],
    ['- one\n- |', '- one\n|'],
    ['- one\n2. |\nafter', '- one\n|\nafter'],
    ['> |', '|'],
    ['|- one', '\n|- one'],
    ['-not a list|', '-not a list\n|'],
    ['```\na|', '```\na\n|'],
  ])('goes on with a list and ends it: %j', (before, after) =>
    expect(press(before, true)).toBe(after),
  );

  it('always makes a change within the text, with the caret inside it', () => {
    const parts = fc.array(fc.constantFrom('-', ' ', '1.', '>', '```', '\n', 'a', '[ ]'));
    fc.assert(
      fc.property(parts, fc.nat(40), (made, place) => {
        const text = made.join('');
        const caret = Math.min(place, text.length);
        const change = breakLine(text, caret, caret, true);
        expect(change).toBeDefined();
        const { from = -1, to = -1, text: put = '', select = [-1, -1] } = change ?? {};
        expect(from >= 0 && from <= caret && to >= caret && to <= text.length).toBe(true);
        expect(select[0]).toBeLessThanOrEqual(text.length - (to - from) + put.length);
      }),
    );
  });
});

describe('what is sent', () => {
  it.each([
    ['```', ''],
    ['look\n```', 'look'],
    ['```\na\n```\n```', '```\na\n```'],
    ['```\na\n```', '```\na\n```'],
    ['```\na', '```\na'],
    ['  a  ', 'a'],
  ])('of %j has no empty code block at its end', (text, body) => expect(bodyOf(text)).toBe(body));
});
