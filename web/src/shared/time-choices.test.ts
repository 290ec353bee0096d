import { describe, expect, it } from 'vitest';
import { dayOf } from '../ui/text/days.ts';
import { clockOf } from './clock.ts';
import { timeChoices } from './time-choices.ts';

const labelled = (now: Date) =>
  Object.fromEntries(
    timeChoices(now).map(({ label, at }) => [label, `${dayOf(at)}T${clockOf(at)}`]),
  );

describe('the times that are offered', () => {
  it('are in the reader’s own time zone', () => {
    expect(labelled(new Date(2026, 10, 18, 23, 50))).toEqual({
      'In 20 minutes': '2026-11-19T00:10',
      'In 1 hour': '2026-11-19T00:50',
      'In 3 hours': '2026-11-19T02:50',
      'Tomorrow at 9': '2026-11-19T09:00',
      'Monday at 9': '2026-11-23T09:00',
    });
  });

  it('on a Sunday and on a Monday', () => {
    const sunday = labelled(new Date(2026, 10, 22, 12));
    expect([sunday['Tomorrow at 9'], sunday['Monday at 9']]).toEqual([
      '2026-11-23T09:00',
      undefined,
    ]);
    expect(labelled(new Date(2026, 10, 23, 8))['Monday at 9']).toBe('2026-11-30T09:00');
  });
});
