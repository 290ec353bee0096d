import { beforeEach, describe, expect, it } from 'vitest';
import { createSearchHold, type SearchHold } from './search-hold.ts';

let now: number;
let hold: SearchHold;

beforeEach(() => {
  now = 1_000;
  hold = createSearchHold(() => now);
});

describe('between a query and its re-ranking', () => {
  it('other work waits, until the last search has re-ranked', () => {
    expect(hold.restMs()).toBe(0);
    hold.begin();
    hold.begin();
    expect(hold.restMs()).toBeGreaterThan(0);
    hold.end();
    expect(hold.restMs()).toBeGreaterThan(0);
    hold.end();
    expect(hold.restMs()).toBe(0);
  });

  it('other work waits only so long for searches that never re-rank, and not longer for the next one', () => {
    hold.begin();
    hold.begin();
    now += hold.restMs();
    expect(hold.restMs()).toBe(0);
    hold.begin();
    expect(hold.restMs()).toBeGreaterThan(0);
    hold.end();
    expect(hold.restMs()).toBe(0);
  });

  it('other work has its turn now and then, however many search', () => {
    let turns = 0;
    for (const end = now + 1_000; now < end; now += 10) {
      hold.begin();
      if (hold.restMs() > 0) continue;
      turns++;
      hold.noteOthers();
    }
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(turns).toBeLessThan(12);
  });
});
