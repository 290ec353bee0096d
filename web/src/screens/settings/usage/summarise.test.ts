import type { Usage } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { lastDays, roundUp, sum, summarise } from './summarise.ts';

function row(day: string, model: string, changes: Partial<Usage> = {}): Usage {
  const rest = { userId: 'ada', replies: 1, inputTokens: 10, outputTokens: 5, credits: 2 };
  return { day, model, ...rest, ...changes };
}

const days = ['2026-05-01', '2026-05-02', '2026-05-03'];
const byModel = {
  split: 'model',
  measure: 'credits',
  days,
  labelOf: (key: string) => key,
} as const;

describe('summarise', () => {
  it('lists every day, oldest first, and the most used series first', () => {
    const rows = [row('2026-05-03', 'gpt'), row('2026-05-01', 'claude', { credits: 9 })];
    expect(summarise(rows, byModel)).toEqual({
      series: [
        { key: 'claude', label: 'claude', total: 9 },
        { key: 'gpt', label: 'gpt', total: 2 },
      ],
      days: [
        { day: '2026-05-01', values: [9, 0], total: 9 },
        { day: '2026-05-02', values: [0, 0], total: 0 },
        { day: '2026-05-03', values: [0, 2], total: 2 },
      ],
      total: 11,
    });
  });

  it('adds up rows of one day and one person over all models', () => {
    const rows = [row('2026-05-01', 'gpt'), row('2026-05-01', 'claude')];
    const { days: found } = summarise(rows, { ...byModel, split: 'person', measure: 'tokens' });
    expect(found[0]).toEqual({ day: '2026-05-01', values: [30], total: 30 });
  });

  it('groups everything after the sixth series and loses nothing', () => {
    const rows = Array.from({ length: 9 }, (_, at) =>
      row('2026-05-01', `m${at}`, { credits: 9 - at }),
    );
    const { series, total } = summarise(rows, byModel);
    expect(series.map(({ label }) => label).join(' ')).toBe('m0 m1 m2 m3 m4 m5 3 others');
    expect(series.at(-1)?.total).toBe(3 + 2 + 1);
    expect(total).toBe(sum(rows, 'credits'));
  });
});

it('the last days end today, in UTC, and cross months', () => {
  const last = lastDays(3, Date.parse('2026-03-01T23:59:00Z'));
  expect(last).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
});

it('roundUp returns an even, round number that is not lower', () => {
  const rounded = [0, 3, 5, 7, 31, 2263, 10_000, 99_000].map(roundUp);
  expect(rounded).toEqual([4, 4, 6, 8, 40, 3000, 10_000, 100_000]);
});
