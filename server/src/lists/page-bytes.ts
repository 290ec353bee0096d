import { setImmediate } from 'node:timers/promises';

/**
 * About as much text as a page of a list holds. `limit` is the most items of a page: one of long items has
 * fewer, but at least one, and says that there are more. So no page holds up the event loop for others.
 */
export const PAGE_BYTES = 256 * 1024;

/** In SQL, the frame of a window that sums up what comes before a row. */
export const BEFORE_IT = 'ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';

/** The items that fit on a page, and at least the first. For results that are all in memory. */
export function takePage<Item>(items: readonly Item[], bytesOf: (item: Item) => number): Item[] {
  let bytes = 0;
  return items.filter((item) => {
    const fits = bytes < PAGE_BYTES;
    bytes += bytesOf(item);
    return fits;
  });
}

/**
 * A page with a number can't have fewer items, or the next would begin in the wrong place. So what does not
 * fit into its first statement is read by further ones, each for as many items as fit.
 */
export async function readInPieces<Item, Row>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  read: (piece: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < items.length;) {
    const piece = takePage(items.slice(from), bytesOf);
    await setImmediate(); // The embedded engine reads without giving way.
    rows.push(...(await read(piece)));
    from += piece.length;
  }
  return rows;
}

/** What one request reads of people's texts: a hundred of the maximum length, in Latin letters. */
const BYTES_READ = 2_000_000;

/** The first texts that one request may read, in pages. */
export function pagesOf<Text extends { bytes: number }>(
  texts: readonly Text[],
  mostInPage = Infinity,
): Text[][] {
  const pages: Text[][] = [];
  let inAll = 0;
  let page: Text[] = [];
  let inPage = Infinity;
  for (const text of texts) {
    inAll += text.bytes;
    inPage += text.bytes;
    if (inAll > BYTES_READ) break;
    if (inPage > PAGE_BYTES || page.length === mostInPage) {
      page = [];
      pages.push(page);
      inPage = text.bytes;
    }
    page.push(text);
  }
  return pages;
}
