import { expect, it } from 'vitest';
import { readFileSearch } from './shown-files.ts';

it.each([
  [
    { file: 'f', page: 12 },
    { file: 'f', page: 12 },
  ],
  [
    { file: 'f', page: '12' },
    { file: 'f', page: 12 },
  ],
  [{ file: 'f', page: 0 }, { file: 'f' }],
  [{ file: 'f', page: '<b>' }, { file: 'f' }],
  [{ page: 3 }, {}],
  [{ file: { a: 1 } }, {}],
])('reads %o as %o', (search, read) => expect(readFileSearch(search)).toEqual(read));
