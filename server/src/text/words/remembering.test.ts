import { expect, it } from 'vitest';
import { remembering } from './remembering.ts';

it('finds what is asked for often once, and forgets what is not', () => {
  const found: string[] = [];
  const double = remembering((key) => {
    found.push(key);
    return key + key;
  });
  for (let nth = 0; nth < 50_000; nth++) {
    double('often');
    double(`once ${nth}`);
  }
  expect(double('often')).toBe('oftenoften');
  expect(found.filter((key) => key === 'often')).toHaveLength(1);
  expect(double('once 0')).toBe('once 0once 0');
  expect(found.filter((key) => key === 'once 0')).toHaveLength(2);
});
