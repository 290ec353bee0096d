import { expect, it } from 'vitest';
import { parseQuery } from './query.ts';

it.each([
  ['Release notes', { terms: ['releas', 'note'], phrases: [], required: [] }],
  [
    'when "release notes" ship',
    {
      terms: ['releas', 'note', 'ship'],
      phrases: [['releas', 'note']],
      required: ['releas', 'note'],
    },
  ],
  ['“release notes”', { phrases: [['releas', 'note']], required: ['releas', 'note'] }],
  ['„Preis“ «prix»', { phrases: [['prei'], ['prix']], required: ['prei', 'prix'] }],
  ['5" pipe', { terms: ['5', 'pipe'], phrases: [], required: [] }],
  ['"" " "', { terms: [], phrases: [], required: [] }],
  ['"to be or not to be" question', { terms: ['question'], phrases: [], required: [] }],
  ['the of and', { terms: [], phrases: [], required: [] }],
  ['a AND (b OR -c) NEAR/3 d* title:e', { terms: ['b', 'c', 'near', '3', 'titl', 'e'] }],
])('%j', (query, expected) => {
  expect(parseQuery(query)).toMatchObject(expected);
});

it('has at most eight terms, the phrases first', () => {
  const words = Array.from({ length: 300 }, (_, at) => `word${at}x`);
  const { terms, required } = parseQuery(`${words.join(' ')} "last one"`);
  expect(terms).toHaveLength(8);
  expect(required).toEqual(['last', 'on']);
  expect(terms.slice(0, 3)).toEqual(['last', 'on', 'word0x']);
});
