import { describe, expect, it } from 'vitest';
import { writeJson } from './json-list.ts';

describe('JSON in chunks', () => {
  it.each([
    [{ id: 'a', items: 'none' }],
    [{ items: [] }],
    [{ items: [], total: 0 }],
    [{ items: [1, { a: 'ä\n' }], total: 2, nextBefore: null }],
    [{ items: Array.from({ length: 50 }, () => '𝄞'.repeat(20_000)), hasMore: true }],
    [null],
  ])('is what JSON.stringify writes', async (data) => {
    expect((await writeJson(data)).join('')).toBe(JSON.stringify(data));
  });

  it('lets others run between the items of a long list', async () => {
    const items = Array.from({ length: 100 }, () => '𝄞'.repeat(20_000));
    let turns = 0;
    let isWriting = true;
    const count = () => {
      turns++;
      if (isWriting) setImmediate(count);
    };
    count();
    const chunks = await writeJson({ items });
    isWriting = false;
    expect(chunks.length).toBeGreaterThan(20);
    expect(turns).toBeGreaterThan(20);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(200_000);
  });
});
