/** What one request reads of people's texts: a hundred of the maximum length, in Latin letters. */
const BYTES_READ = 2_000_000;
/** Of one query's result. The embedded database takes 10 ms for it. */
const PAGE_BYTES = 200_000;

/** The first texts that fit, in pages of limited size. */
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
