import { describe, expect, it } from 'vitest';
import { isScanFaster, LEG_LIMIT, walkFor } from './search-scope.ts';

function walk(shared: number, indexed: number) {
  const reach = { shared, own: 0, unindexed: 0, isSmall: false };
  const counts = { org: shared, projects: 0, own: 0, inProject: 0, settled: 1 };
  return walkFor(LEG_LIMIT, reach, { ...counts, indexed });
}

describe('a walk through the graph', () => {
  it('is one short pass if the graph is small and all of it is visible', () => {
    expect(walk(5_000, 5_000)).toEqual({ width: 100, rows: LEG_LIMIT });
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
      expect(rows).toBeGreaterThanOrEqual(LEG_LIMIT);
      expect(rows).toBeLessThanOrEqual(2 * width);
    }
  });
});

describe('comparing all vectors of a scope', () => {
  const isFaster = (shared: number, indexed: number, settled: number, own = 0) =>
    isScanFaster(
      { shared, own, unindexed: 0, isSmall: false },
      { org: shared, projects: 0, own, inProject: 0, settled, indexed },
      LEG_LIMIT,
    );

  it('is faster than the graph up to some number of rows, whatever the machine', () => {
    expect(isFaster(20_000, 1_000_000, 1)).toBe(true);
    expect(isFaster(50_000, 1_000_000, 1)).toBe(false);
    expect(isFaster(2_300, 5_000, 1)).toBe(true);
    expect(isFaster(3_300, 5_000, 1)).toBe(false);
  });

  it('is slower where an index has to ask the table', () => {
    expect(isFaster(20_000, 1_000_000, 0)).toBe(true);
    expect(isFaster(22_000, 1_000_000, 0)).toBe(false);
  });

  it('does not depend on rows that are compared either way', () => {
    for (const own of [0, 1_000, 100_000]) {
      expect(isFaster(2_300, 5_000, 1, own)).toBe(true);
      expect(isFaster(3_300, 5_000, 1, own)).toBe(false);
    }
  });
});
