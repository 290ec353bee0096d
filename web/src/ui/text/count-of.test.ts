import { expect, it } from 'vitest';
import { countOf } from './count-of.ts';

it('one of something is not many', () => {
  const counts = [0, 1, 2, 2_500, -1].map((count) => countOf(count, 'credit'));
  expect(counts).toEqual(['0 credits', '1 credit', '2 credits', '2,500 credits', '-1 credits']);
});
