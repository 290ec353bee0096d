import { expect, it } from 'vitest';
import { firstFrom, matchAt } from './match-at.ts';

const PAGES = [
  { page: 2, count: 2 },
  { page: 5, count: 1 },
];

it('a match is on the page where the ones before it end', () => {
  expect(matchAt(PAGES, 0)).toEqual({ index: 0, page: 2, nth: 0 });
  expect(matchAt(PAGES, 1)).toEqual({ index: 1, page: 2, nth: 1 });
  expect(matchAt(PAGES, 2)).toEqual({ index: 2, page: 5, nth: 0 });
  expect(matchAt(PAGES, 3)).toBeUndefined();
  expect(matchAt([], 0)).toBeUndefined();
});

it('a search begins at the page that is shown, and goes round', () => {
  expect([1, 2, 3, 5, 6].map((from) => firstFrom(PAGES, from))).toEqual([0, 0, 2, 2, 0]);
});
