import type { Usage } from '@atrium/sdk';

/** Turns the API's rows into the numbers that the chart and the table share. */

export type Split = 'model' | 'person';
export type Measure = 'credits' | 'tokens' | 'replies';

export interface DayOfUse {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** One per series, in the same order. */
  values: number[];
  total: number;
}

export interface UsageSummary {
  series: { key: string; label: string; total: number }[];
  /** Oldest first, including days without usage. */
  days: DayOfUse[];
  total: number;
}

/** More would be hard to tell apart. The rest are added up. */
export const MOST_SERIES = 6;

const MEASURES: Record<Measure, (row: Usage) => number> = {
  credits: ({ credits }) => credits,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  replies: ({ replies }) => replies,
};

export function sum(rows: readonly Usage[], measure: Measure): number {
  return rows.reduce((total, row) => total + MEASURES[measure](row), 0);
}

interface Choices {
  split: Split;
  measure: Measure;
  days: readonly string[];
  labelOf: (key: string) => string;
}

export function summarise(rows: readonly Usage[], choices: Choices): UsageSummary {
  const { split, measure, days, labelOf } = choices;
  const keyOf = (row: Usage) => (split === 'model' ? row.model : row.userId);
  const series = rankSeries(rows, keyOf, measure, labelOf);
  const placeOf = new Map(series.map(({ key }, place) => [key, place]));
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const table = days.map((day) => {
    const values = series.map(() => 0);
    for (const row of byDay.get(day) ?? []) {
      const place = placeOf.get(keyOf(row)) ?? series.length - 1;
      values[place] = (values[place] ?? 0) + MEASURES[measure](row);
    }
    return { day, values, total: values.reduce((total, value) => total + value, 0) };
  });
  return { series, days: table, total: table.reduce((total, day) => total + day.total, 0) };
}

/** Most used first, with the rest as one. */
function rankSeries(
  rows: readonly Usage[],
  keyOf: (row: Usage) => string,
  measure: Measure,
  labelOf: (key: string) => string,
): UsageSummary['series'] {
  const ranked = [...Map.groupBy(rows, keyOf)]
    .map(([key, own]) => ({ key, label: labelOf(key), total: sum(own, measure) }))
    .toSorted((a, b) => b.total - a.total || a.label.localeCompare(b.label));
  if (ranked.length <= MOST_SERIES) return ranked;
  const rest = ranked.slice(MOST_SERIES);
  const total = rest.reduce((all, one) => all + one.total, 0);
  const others = { key: 'others', label: `${rest.length} others`, total };
  return [...ranked.slice(0, MOST_SERIES), others];
}

const DAY_MS = 86_400_000;

/** The last days up to today, oldest first, in UTC as in the API. */
export function lastDays(count: number, now: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(now - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A round number at or above the largest day, so that the axis is easy to read. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 6, 8, 10].map((step) => step * size).find((top) => top >= value) ?? value;
}
