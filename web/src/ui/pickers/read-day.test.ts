import { describe, expect, it } from 'vitest';
import { readDay } from './read-day.ts';

/** A Wednesday. */
const NOW = new Date(2027, 2, 10, 15);

describe('readDay', () => {
  it.each([
    ['today', '2027-03-10'],
    ['Tom', '2027-03-11'],
    ['fri', '2027-03-12'],
    ['wednesday', '2027-03-17'],
    ['next mon', '2027-03-15'],
    ['next week', '2027-03-15'],
    ['in 3 days', '2027-03-13'],
    ['2w', '2027-03-24'],
    ['1 month', '2027-04-10'],
    ['17 may', '2027-05-17'],
    ['May 17th', '2027-05-17'],
    ['3 jan', '2028-01-03'],
    ['Jan 3, 2030', '2030-01-03'],
    ['17.5.', '2027-05-17'],
    ['17.5.2030', '2030-05-17'],
    ['2030-5-17', '2030-05-17'],
  ])('reads %s', (text, day) => {
    expect(readDay(text, NOW)).toBe(day);
  });

  it('looks back where people do', () => {
    expect(readDay('fri', NOW, true)).toBe('2027-03-05');
    expect(readDay('wed', NOW, true)).toBe('2027-03-10');
    expect(readDay('17 may', NOW, true)).toBe('2026-05-17');
    expect(readDay('3 jan', NOW, true)).toBe('2027-01-03');
    expect(readDay('yesterday', NOW)).toBe('2027-03-09');
  });

  it.each(['', 'f', 'to', '31 april', '2027-02-29', '17 mayor', 'soon', '12'])(
    'reads no day in "%s"',
    (text) => {
      expect(readDay(text, NOW)).toBeUndefined();
    },
  );
});
