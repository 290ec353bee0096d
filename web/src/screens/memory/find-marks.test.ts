import { expect, it } from 'vitest';
import { findMarks } from './find-marks.ts';

function marked(text: string, query: string): string[] {
  return findMarks(text, query).map(({ from, to }) => text.slice(from, to));
}

it('marks words regardless of ending, case and accents', () => {
  const words = marked('Deployments go out; we deployed the café.', 'deploying Cafe');
  expect(words).toEqual(['Deployments', 'deployed', 'café']);
});

it('marks words that begin with a half-typed one', () => {
  expect(marked('The mascot is massive, not amassed.', 'mas')).toEqual(['mascot', 'massive']);
});

it('leaves small words alone, unless there is nothing else', () => {
  expect(marked('What is the price of it?', 'what is the price')).toEqual(['price']);
  expect(marked('It is what it is.', 'what')).toEqual(['what']);
});

it('marks pairs of characters in scripts without spaces', () => {
  expect(marked('会議は木曜日です', '木曜日')).toEqual(['木曜日']);
});

it('marks nothing for a query without words, and treats patterns as text', () => {
  expect(marked('a (b) [c] $', '(.*) $')).toEqual([]);
  expect(marked('anything', '')).toEqual([]);
});
