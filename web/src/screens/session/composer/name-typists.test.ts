import { expect, it } from 'vitest';
import { nameTypists } from './name-typists.ts';

it('names up to three people who are typing', () => {
  expect(
    [[], ['Ada'], ['Ada', 'Grace'], ['Ada', 'Grace', 'Ravi'], ['a', 'b', 'c', 'd']].map(
      nameTypists,
    ),
  ).toEqual([
    undefined,
    'Ada is typing…',
    'Ada and Grace are typing…',
    'Ada, Grace and Ravi are typing…',
    'Several people are typing…',
  ]);
});
