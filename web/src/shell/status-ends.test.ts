import { expect, it } from 'vitest';
import { endOf } from './status-ends.ts';

/** A Wednesday. */
const NOW = new Date(2026, 10, 18, 9, 30);

it.each([
  ['none', null],
  ['30m', new Date(2026, 10, 18, 10, 0)],
  ['1h', new Date(2026, 10, 18, 10, 30)],
  ['4h', new Date(2026, 10, 18, 13, 30)],
  ['today', new Date(2026, 10, 18, 23, 59, 59, 999)],
  ['week', new Date(2026, 10, 22, 23, 59, 59, 999)],
  ['date', new Date(2026, 11, 24, 23, 59, 59, 999)],
] as const)('%s', (end, expected) => {
  expect(endOf(end, '2026-12-24', NOW)).toEqual(expected);
});

it('the week ends today on a Sunday', () => {
  const sunday = new Date(2026, 10, 22, 20, 0);
  expect(endOf('week', '', sunday)).toEqual(new Date(2026, 10, 22, 23, 59, 59, 999));
});
