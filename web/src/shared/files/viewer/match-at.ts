/** Pages of a file that have the words, in order. */
export type PagesFound = readonly { page: number; count: number }[];

/** One of the matches in a file. */
export interface Match {
  /** From 0, in the whole file. */
  index: number;
  page: number;
  /** From 0, on its page. */
  nth: number;
}

/** Undefined if there are not so many. */
export function matchAt(pages: PagesFound, index: number): Match | undefined {
  let before = 0;
  for (const { page, count } of pages) {
    if (index < before + count) return { index, page, nth: index - before };
    before += count;
  }
  return undefined;
}

/** The first match on a page or after it, or else the first of all. */
export function firstFrom(pages: PagesFound, from: number): number {
  let before = 0;
  for (const { page, count } of pages) {
    if (page >= from) return before;
    before += count;
  }
  return 0;
}
