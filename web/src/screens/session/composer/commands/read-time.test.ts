import { describe, expect, it } from 'vitest';
import { readTime } from './read-time.ts';
import { readEnd } from './status.ts';

/** A Wednesday. */
const NOW = new Date(2026, 10, 18, 14, 30);
/** In the reader's time zone, to the minute. */
const toMinute = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
const read = (text: string) => {
  const found = readTime(text, NOW);
  return found && [toMinute(found.at), found.rest];
};

describe('a time in words', () => {
  it.each<[string, string, string]>([
    ['call Ada in 20 minutes', '2026-11-18T14:50', 'call Ada'],
    ['in 2h call Ada', '2026-11-18T16:30', 'call Ada'],
    ['call in an hour', '2026-11-18T15:30', 'call'],
    ['tea in half an hour', '2026-11-18T15:00', 'tea'],
    ['report in 2 weeks', '2026-12-02T14:30', 'report'],
    ['water the plants tomorrow', '2026-11-19T09:00', 'water the plants'],
    ['tomorrow at 8:15: water the plants', '2026-11-19T08:15', 'water the plants'],
    ['call on Friday at 2pm', '2026-11-20T14:00', 'call'],
    ['call wed 10', '2026-11-25T10:00', 'call'],
    ['plan next week', '2026-11-23T09:00', 'plan'],
    ['stand-up at 9', '2026-11-19T09:00', 'stand-up'],
    ['leave at 17:05', '2026-11-18T17:05', 'leave'],
    ['release 2027-01-31 at 12am', '2027-01-31T00:00', 'release'],
    ['tomorrow', '2026-11-19T09:00', ''],
  ])('%s', (text, at, rest) => expect(read(text)).toEqual([at, rest]));

  it.each([
    'water the plants',
    'meet in 12 rooms',
    'look at 25:00',
    'pay 2027-02-31',
    'look at 3:99',
    'the day in 2 words',
    'the plan of this week',
    '',
  ])('is not in %j', (text) => expect(read(text)).toBeUndefined());

  it('ends a status, unless it is part of what it says', () => {
    const end = (text: string) => {
      const { words, until } = readEnd(text, NOW);
      return [words, until && toMinute(until)];
    };
    expect(end('On leave until friday')).toEqual(['On leave', '2026-11-20T09:00']);
    expect(end('Lunch until 15:00')).toEqual(['Lunch', '2026-11-18T15:00']);
    expect(end('Focus for 2 hours')).toEqual(['Focus', '2026-11-18T16:30']);
    expect(end('Looking for 2 people')).toEqual(['Looking for 2 people', undefined]);
  });
});
