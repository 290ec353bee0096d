import type { JsonPage } from './json-page.ts';

export interface VersionedPage {
  /** Of what the page shows. It grows with every change and is never reused. */
  version: number;
  page: JsonPage;
}

/** Pages that many readers ask for again and again, each kept until a newer one takes its place. */
export interface PageCache {
  /**
   * The page at this version or a newer one. The caller has read the version for this very request, so
   * the page is never out of date. Requests that miss at the same time share one `build`. `key` is unique
   * across orgs.
   */
  get(
    orgId: string,
    key: string,
    version: number,
    build: () => Promise<VersionedPage>,
  ): Promise<VersionedPage>;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** What one org may have of that, so that it can't push out everybody else's pages. */
const ORG_SHARE = 0.25;
/** Of a page's key and its places in the maps, roughly. */
const OVERHEAD_BYTES = 500;

interface Building {
  /** The result is at least this new. */
  version: number;
  result: Promise<VersionedPage>;
}

/** The pages of one org. A map keeps the order of insertion: the one asked for last is the last. */
interface Shelf {
  pages: Map<string, VersionedPage>;
  bytes: number;
}

/**
 * Bounded in bytes. An org with more than its share forgets the page that was not asked for the longest;
 * if all orgs together have too many, the org that has not asked for the longest does.
 */
export function createPageCache(
  maxBytes = MAX_BYTES,
  maxBytesOfOrg = maxBytes * ORG_SHARE,
): PageCache {
  const shelves = new Map<string, Shelf>();
  const builds = new Map<string, Building>();
  let bytes = 0;

  function find(orgId: string, key: string): VersionedPage | undefined {
    const shelf = shelves.get(orgId);
    const page = shelf?.pages.get(key);
    if (!shelf || !page) return undefined;
    putLast(shelves, orgId, shelf);
    putLast(shelf.pages, key, page);
    return page;
  }

  function keep(orgId: string, key: string, built: VersionedPage): void {
    const shelf = shelves.get(orgId) ?? { pages: new Map<string, VersionedPage>(), bytes: 0 };
    const current = shelf.pages.get(key);
    if (current && current.version >= built.version) return;
    if (current) forget(shelf, key, current);
    shelf.pages.set(key, built);
    shelf.bytes += sizeOf(built);
    bytes += sizeOf(built);
    putLast(shelves, orgId, shelf);
    forgetWhile(orgId, shelf, () => shelf.bytes > maxBytesOfOrg);
    for (const [other, old] of shelves) {
      if (bytes <= maxBytes) break;
      forgetWhile(other, old, () => bytes > maxBytes);
    }
  }

  function forgetWhile(orgId: string, shelf: Shelf, isTooMuch: () => boolean): void {
    for (const [key, page] of shelf.pages) {
      if (!isTooMuch()) return;
      forget(shelf, key, page);
    }
    if (shelf.pages.size === 0) shelves.delete(orgId);
  }

  function forget(shelf: Shelf, key: string, page: VersionedPage): void {
    shelf.pages.delete(key);
    shelf.bytes -= sizeOf(page);
    bytes -= sizeOf(page);
  }

  async function buildPage(
    orgId: string,
    key: string,
    version: number,
    build: () => Promise<VersionedPage>,
  ): Promise<VersionedPage> {
    const building = { version, result: build() };
    builds.set(key, building);
    try {
      const built = await building.result;
      keep(orgId, key, built);
      return built;
    } finally {
      if (builds.get(key) === building) builds.delete(key);
    }
  }

  return {
    async get(orgId, key, version, build) {
      const page = find(orgId, key);
      if (page && page.version >= version) return page;
      const building = builds.get(key);
      if (building && building.version >= version) return building.result;
      return buildPage(orgId, key, version, build);
    },
  };
}

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function sizeOf({ page }: VersionedPage): number {
  return page.bytes.length + OVERHEAD_BYTES;
}
