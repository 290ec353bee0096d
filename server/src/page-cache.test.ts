import { describe, expect, it } from 'vitest';
import { JsonPage } from './json-page.ts';
import { createPageCache, type VersionedPage } from './page-cache.ts';

const pageOf = (version: number, size = 10): VersionedPage => ({
  version,
  page: new JsonPage('x'.repeat(size)),
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
    const first = await cache.get('a', 1, source.build);
    expect(await cache.get('a', 1, source.build)).toBe(first);
    source.version = 2;
    expect((await cache.get('a', 2, source.build)).version).toBe(2);
    expect((await cache.get('a', 1, source.build)).version).toBe(2);
    await cache.get('b', 2, source.build);
    expect(source.builds).toBe(3);
  });

  it('shares a build that is running, unless it may be too old', async () => {
    const cache = createPageCache();
    const gates = [Promise.withResolvers<VersionedPage>(), Promise.withResolvers<VersionedPage>()];
    let builds = 0;
    const build = () => (gates[builds++] as (typeof gates)[0]).promise;
    const older = [cache.get('a', 1, build), cache.get('a', 1, build)];
    const newer = [cache.get('a', 2, build), cache.get('a', 2, build), cache.get('a', 1, build)];
    expect(builds).toBe(2);
    gates[1]?.resolve(pageOf(2));
    gates[0]?.resolve(pageOf(1));
    expect((await Promise.all(older)).map(({ version }) => version)).toEqual([1, 1]);
    expect((await Promise.all(newer)).map(({ version }) => version)).toEqual([2, 2, 2]);
    // The older build ended last and must not take the newer one's place.
    expect((await cache.get('a', 1, build)).version).toBe(2);
  });

  it('keeps nothing of a build that fails', async () => {
    const cache = createPageCache();
    const source = createSource();
    const fails = () => Promise.reject(new Error('no such cursor'));
    await expect(cache.get('a', 1, fails)).rejects.toThrow('no such cursor');
    expect((await cache.get('a', 1, source.build)).version).toBe(1);
  });

  it('forgets the pages that were not asked for the longest when it is full', async () => {
    const cache = createPageCache(5000);
    const source = createSource();
    source.size = 1000;
    for (const key of ['a', 'b', 'c', 'a', 'd']) await cache.get(key, 1, source.build);
    expect(source.builds).toBe(4);
    await cache.get('a', 1, source.build);
    expect(source.builds).toBe(4);
    await cache.get('b', 1, source.build);
    expect(source.builds).toBe(5);
    // A page that is larger than the cache is sent, but pushes everything else out and goes too.
    source.size = 10_000;
    await cache.get('huge', 1, source.build);
    await cache.get('huge', 1, source.build);
    expect(source.builds).toBe(7);
  });
});
