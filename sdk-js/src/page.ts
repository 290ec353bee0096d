import type { ApiResponse } from './response.ts';
import { Call } from './call.ts';
import { UsageError } from './errors.ts';

export type Query = Record<string, string | number | boolean | null | undefined>;

/** A list's `data`: numbered pages, a cursor, or everything at once. */
export interface ListData<Item> {
  items: Item[];
  total?: number;
  page?: number;
  limit?: number;
  nextBefore?: string | null;
  hasMore?: boolean;
}

/** One page of a list. Iterating over it continues through all later pages. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: Item[];
  /** The number of items on all pages, if the list reports it. */
  readonly total: number | undefined;
  readonly hasNextPage: boolean;
  readonly requestId: string | undefined;
  readonly #load: (() => PageCall<Item>) | undefined;
  readonly #isNumbered: boolean;

  constructor(
    data: ListData<Item>,
    requestId: string | undefined,
    load: (() => PageCall<Item>) | undefined,
  ) {
    this.items = data.items;
    this.total = data.total;
    this.hasNextPage = load !== undefined;
    this.requestId = requestId;
    this.#load = load;
    this.#isNumbered = data.page !== undefined;
  }

  nextPage(): PageCall<Item> {
    if (this.#load) return this.#load();
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

/** Loads a page, which can load the page after it. */
export function loadPages<Item>(
  load: (query: Query) => Promise<ApiResponse<ListData<Item>>>,
  query: Query,
): PageCall<Item> {
  const loading = load(query).then((answer) => {
    const next = nextQuery(answer.data, query);
    const loadNext = next && (() => loadPages(load, next));
    return { ...answer, data: new Page(answer.data, answer.requestId, loadNext) };
  });
  return new PageCall(loading);
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
