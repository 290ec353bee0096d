import { expect, it } from 'vitest';
import { localTime } from './local-time.ts';

const NOW = new Date('2026-11-18T08:00:00Z');

it.each([
  ['Europe/Berlin', 'Europe/Berlin', ''],
  ['Asia/Tokyo', 'Europe/Berlin', '8 h ahead of you'],
  ['Asia/Kolkata', 'UTC', '5.5 h ahead of you'],
  ['America/New_York', 'Europe/Berlin', '6 h behind you'],
  ['Europe/London', 'UTC', ''],
])('%s from %s: %s', (there, here, difference) => {
  expect(localTime(there, NOW, here)?.difference).toBe(difference);
});

it('knows no zone that there is not', () => {
  expect(localTime('Mars/Olympus', NOW)).toBeUndefined();
});
