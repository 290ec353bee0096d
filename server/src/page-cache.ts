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
   * the page is never out of date. Requests that miss at the same time share one `build`.
   */
  get(key: string, version: number, build: () => Promise<VersionedPage>): Promise<VersionedPage>;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Of a page's key and its places in the maps, roughly. */
const OVERHEAD_BYTES = 500;

interface Building {
  /** The result is at least this new. */
  version: number;
  result: Promise<VersionedPage>;
}

/** Bounded in bytes: the page that was not asked for the longest goes first. */
export function createPageCache(maxBytes = MAX_BYTES): PageCache {
  const pages = new Map<string, VersionedPage>();
  const builds = new Map<string, Building>();
  let bytes = 0;

  function keep(key: string, built: VersionedPage): void {
    const current = pages.get(key);
    if (current && current.version >= built.version) return;
    if (current) forget(key, current);
    pages.set(key, built);
    bytes += sizeOf(built);
    for (const [oldest, page] of pages) {
      if (bytes <= maxBytes) break;
      forget(oldest, page);
    }
  }

  function forget(key: string, page: VersionedPage): void {
    pages.delete(key);
    bytes -= sizeOf(page);
  }

  async function buildPage(
    key: string,
    version: number,
    build: () => Promise<VersionedPage>,
  ): Promise<VersionedPage> {
    const building = { version, result: build() };
    builds.set(key, building);
    try {
      const built = await building.result;
      keep(key, built);
      return built;
    } finally {
      if (builds.get(key) === building) builds.delete(key);
    }
  }

  return {
    async get(key, version, build) {
      const page = pages.get(key);
      if (page && page.version >= version) {
        // A map keeps the order of insertion, so this makes it the last to be forgotten.
        pages.delete(key);
        pages.set(key, page);
        return page;
      }
      const building = builds.get(key);
      if (building && building.version >= version) return building.result;
      return buildPage(key, version, build);
    },
  };
}

function sizeOf({ page }: VersionedPage): number {
  return page.bytes.length + OVERHEAD_BYTES;
}
