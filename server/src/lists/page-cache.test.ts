import { describe, expect, it } from 'vitest';
import { JsonPage } from './json-page.ts';
import { createPageCache, type VersionedPage } from './page-cache.ts';

const pageOf = async (version: number, size = 10): Promise<VersionedPage> => ({
  version,
  page: await JsonPage.of('x'.repeat(size)),
});

/** Builds pages of the version that the database has now, and counts how often. */
function createSource() {
  const source = { version: 1, size: 10, builds: 0, build: async () => pageOf(0) };
  source.build = async () => {
    source.builds++;
    return pageOf(source.version, source.size);
  };
  return source;
}

describe('a page cache', () => {
  it('builds a page once for each version, and never returns an older one', async () => {
    const cache = createPageCache();
    const source = createSource();
    const first = await cache.get('org', 'a', 1, source.build);
    expect(await cache.get('org', 'a', 1, source.build)).toBe(first);
    source.version = 2;
    expect((await cache.get('org', 'a', 2, source.build)).version).toBe(2);
    expect((await cache.get('org', 'a', 1, source.build)).version).toBe(2);
    await cache.get('org', 'b', 2, source.build);
    expect(source.builds).toBe(3);
  });

  it('shares a build that is running, unless it may be too old', async () => {
    const cache = createPageCache();
    const gates = [Promise.withResolvers<VersionedPage>(), Promise.withResolvers<VersionedPage>()];
    let builds = 0;
    const build = () => (gates[builds++] as (typeof gates)[0]).promise;
    const older = [cache.get('org', 'a', 1, build), cache.get('org', 'a', 1, build)];
    const newer = [
      cache.get('org', 'a', 2, build),
      cache.get('org', 'a', 2, build),
      cache.get('org', 'a', 1, build),
    ];
    expect(builds).toBe(2);
    gates[1]?.resolve(pageOf(2));
    gates[0]?.resolve(pageOf(1));
    expect((await Promise.all(older)).map(({ version }) => version)).toEqual([1, 1]);
    expect((await Promise.all(newer)).map(({ version }) => version)).toEqual([2, 2, 2]);
    // The older build ended last and must not take the newer one's place.
    expect((await cache.get('org', 'a', 1, build)).version).toBe(2);
  });

  it('keeps nothing of a build that fails', async () => {
    const cache = createPageCache();
    const source = createSource();
    const fails = () => Promise.reject(new Error('no such cursor'));
    await expect(cache.get('org', 'a', 1, fails)).rejects.toThrow('no such cursor');
    expect((await cache.get('org', 'a', 1, source.build)).version).toBe(1);
  });

  it('forgets the pages that were not asked for the longest when it is full', async () => {
    const cache = createPageCache(5000, 5000);
    const source = createSource();
    source.size = 1000;
    for (const key of ['a', 'b', 'c', 'a', 'd']) await cache.get('org', key, 1, source.build);
    expect(source.builds).toBe(4);
    await cache.get('org', 'a', 1, source.build);
    expect(source.builds).toBe(4);
    await cache.get('org', 'b', 1, source.build);
    expect(source.builds).toBe(5);
    // A page that is larger than the cache is sent, but pushes everything else out and goes too.
    source.size = 10_000;
    await cache.get('org', 'huge', 1, source.build);
    await cache.get('org', 'huge', 1, source.build);
    expect(source.builds).toBe(7);
  });

  it('gives an org a quarter of it, and the pages of others stay', async () => {
    const cache = createPageCache(20_000);
    const source = createSource();
    source.size = 1000;
    const read = (orgId: string, page: number) =>
      cache.get(orgId, `${orgId} ${page}`, 1, source.build);
    for (const orgId of ['b', 'c', 'd']) for (const page of [1, 2]) await read(orgId, page);
    for (let page = 1; page <= 50; page++) await read('greedy', page);
    source.builds = 0;
    for (const orgId of ['b', 'c', 'd']) for (const page of [1, 2]) await read(orgId, page);
    // Three pages of 1,500 bytes are a quarter.
    for (const page of [50, 49, 48]) await read('greedy', page);
    expect(source.builds).toBe(0);
    await read('greedy', 47);
    expect(source.builds).toBe(1);
  });

  it('takes from the org that has not asked for the longest when many are there', async () => {
    const cache = createPageCache(5000);
    const source = createSource();
    source.size = 600;
    const read = (orgId: string) => cache.get(orgId, orgId, 1, source.build);
    for (const orgId of ['a', 'b', 'c', 'd', 'a', 'e']) await read(orgId);
    expect(source.builds).toBe(5);
    for (const orgId of ['e', 'a', 'd', 'c']) await read(orgId);
    expect(source.builds).toBe(5);
    await read('b');
    expect(source.builds).toBe(6);
  });
});
