import { expect, it } from 'vitest';
import { ROUTES } from '../../src/app/api.ts';
import { fullPath } from '../../src/http/route.ts';
import { EXPECTED } from './route-access-table.ts';

// In a file of its own, so that it runs without PostgreSQL too: a new route needs its row.
it('the table lists exactly the existing routes', () => {
  const names = ROUTES.map((route) => `${route.method} ${fullPath(route)}`);
  expect(Object.keys(EXPECTED).toSorted()).toEqual(names.toSorted());
});
