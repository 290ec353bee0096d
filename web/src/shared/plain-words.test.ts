import { expect, it } from 'vitest';
import { withLocalDays } from './plain-words.ts';

it('times that answers quote are days where the reader is, and others stay', () => {
  const noon = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(
    new Date('2027-01-31T12:00:00Z'),
  );
  expect(withLocalDays('— Ada, 2027-01-31 12:00 UTC; at 12:00 UTC')).toBe(
    `— Ada, ${noon}; at 12:00 UTC`,
  );
  expect(withLocalDays('2027-13-31 12:00 UTC')).toBe('2027-13-31 12:00 UTC');
});
