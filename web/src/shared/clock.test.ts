import { expect, it } from 'vitest';
import { clockOf, parseClock } from './clock.ts';

it.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9:30', '09:30'],
  ['9.05 pm', '21:05'],
  ['12am', '00:00'],
  ['12 pm', '12:00'],
  ['14h', '14:00'],
  ['1437', '14:37'],
])('%s is %s', (typed, clock) => {
  expect(parseClock(typed)).toBe(clock);
});

it.each(['', 'noon', '25', '9:75', '13pm', '0 am'])('finds no time in "%s"', (typed) => {
  expect(parseClock(typed)).toBeUndefined();
});

it('reads the time of a moment', () => {
  expect(clockOf(new Date(2027, 0, 31, 7, 5))).toBe('07:05');
});
