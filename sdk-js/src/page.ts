import type { ApiResponse, ConditionalResponse } from './response.ts';
import { Call } from './call.ts';
import { UsageError } from './errors.ts';

type QueryValue = string | number | boolean;
/** An array repeats the parameter. */
export type Query = Record<string, QueryValue | readonly QueryValue[] | null | undefined>;

/** A list's `data`: numbered pages, a cursor, or everything at once. */
export interface ListData<Item> {
  items: Item[];
  total?: number;
  unreadTotal?: number;
  page?: number;
  limit?: number;
  nextBefore?: string | null;
  hasMore?: boolean;
}

interface PageLoaders<Item> {
  /** Undefined on the last page. */
  next: (() => PageCall<Item>) | undefined;
  /** Returns `current` if it has not changed. */
  again: (current: Page<Item>) => Promise<Page<Item>>;
}

/** One page of a list. Iterating over it continues through all later pages. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: Item[];
  /** The number of items on all pages, if the list reports it. */
  readonly total: number | undefined;
  /** The number of unread items on all pages, if the list reports it. */
  readonly unreadTotal: number | undefined;
  readonly hasNextPage: boolean;
  readonly requestId: string | undefined;
  readonly #loaders: PageLoaders<Item>;
  readonly #isNumbered: boolean;

  constructor(data: ListData<Item>, requestId: string | undefined, loaders: PageLoaders<Item>) {
    this.items = data.items;
    this.total = data.total;
    this.unreadTotal = data.unreadTotal;
    this.hasNextPage = loaders.next !== undefined;
    this.requestId = requestId;
    this.#loaders = loaders;
    this.#isNumbered = data.page !== undefined;
  }

  /**
   * Loads the page again. Returns this very page if nothing has changed, which costs little: use it to
   * poll lists of messages and sessions.
   */
  refresh(): Promise<Page<Item>> {
    return this.#loaders.again(this);
  }

  nextPage(): PageCall<Item> {
    if (this.#loaders.next) return this.#loaders.next();
    return new PageCall(
      Promise.reject(
        new UsageError('This is the last page. Check hasNextPage before calling nextPage().'),
      ),
    );
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return walk(this, this.#isNumbered);
  }
}

/** A new item pushes others onto the next numbered page. They must not appear twice. */
async function* walk<Item>(first: Page<Item>, isNumbered: boolean) {
  const seen = new Set<unknown>();
  for (let page: Page<Item> | undefined = first; page;) {
    for (const item of page.items) {
      const { id } = item as { id?: unknown };
      if (isNumbered && seen.has(id)) continue;
      if (isNumbered) seen.add(id);
      yield item;
    }
    page = page.hasNextPage ? await page.nextPage() : undefined;
  }
}

/** Await it to get the first page, or use `for await` to get the items of all pages. */
export class PageCall<Item> extends Call<Page<Item>> implements AsyncIterable<Item> {
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }
}

type Load<Item> = (query: Query, knownTag?: string) => Promise<ConditionalResponse<ListData<Item>>>;

/** Loads a page, which can load the page after it. */
export function loadPages<Item>(load: Load<Item>, query: Query): PageCall<Item> {
  return new PageCall(
    load(query).then((answer) => ({
      ...answer,
      data: pageOf(answer as ListResponse<Item>, load, query),
    })),
  );
}

type ListResponse<Item> = ApiResponse<ListData<Item>>;

function pageOf<Item>(answer: ListResponse<Item>, load: Load<Item>, query: Query): Page<Item> {
  const { data, requestId, headers } = answer;
  const next = nextQuery(data, query);
  const tag = headers.get('ETag') ?? undefined;
  return new Page(data, requestId, {
    next: next && (() => loadPages(load, next)),
    async again(current) {
      const { data: newer, ...more } = await load(query, tag);
      return newer ? pageOf({ ...more, data: newer }, load, query) : current;
    },
  });
}

function nextQuery(data: ListData<unknown>, query: Query): Query | undefined {
  const { items, nextBefore, hasMore, page, limit, total } = data;
  if (hasMore && nextBefore) {
    const { around: _, ...rest } = query; // The API accepts only one of the two.
    return { ...rest, before: nextBefore };
  }
  if (page === undefined || limit === undefined || total === undefined) return undefined;
  return items.length > 0 && page * limit < total ? { ...query, page: page + 1 } : undefined;
}
