import { describe, expect, it } from 'vitest';
import { walkFor } from './reach.ts';

const LIMIT = 80;

function walk(shared: number, indexed: number) {
  const reach = { shared, own: 0, unindexed: 0, isSmall: false };
  const counts = { org: shared, projects: 0, own: 0, inProject: 0, settled: 1 };
  return walkFor(LIMIT, reach, { ...counts, indexed });
}

describe('a walk through the graph', () => {
  it('is one short pass if the graph is small and all of it is visible', () => {
    expect(walk(5_000, 5_000)).toEqual({ width: 100, rows: LIMIT });
  });

  it('is wider the less of the graph is visible, and the larger it is', () => {
    const [small = 0, hidden = 0, large = 0] = [
      walk(20_000, 20_000),
      walk(5_000, 20_000),
      walk(400_000, 400_000),
    ].map(({ width }) => width);
    expect(hidden).toBeGreaterThan(small);
    expect(large).toBeGreaterThan(small);
  });

  it('goes on if one pass is not enough, until it has met as many visible rows as it should', () => {
    const million = 1_000_000;
    expect(walk(million, million).rows).toBeGreaterThan(1_000);
    for (const shared of [million, million / 2, million / 10, million / 1_000, 0]) {
      const { width, rows } = walk(shared, million);
      expect(width).toBe(1_000);
      expect(rows).toBeGreaterThanOrEqual(LIMIT);
      expect(rows).toBeLessThanOrEqual(2 * width);
    }
  });
});
