import { createRowWriter } from './rows.ts';
import { splitPages } from './split-pages.ts';

/** So that a page can be read through the API and by an agent at once. */
const PAGE = 30_000;

/** A sheet is one page, or several of them with its name on each. A page has at least the name. */
export async function* pagesOfSheet(
  name: string,
  rows: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  const heading = `# ${name.replaceAll(/\s+/g, ' ')}\n`;
  let isEmpty = true;
  for await (const page of splitPages(linesOf(rows), PAGE)) {
    isEmpty = false;
    yield heading + page;
  }
  // An empty sheet keeps its number, but its name alone is no text.
  if (isEmpty) yield '';
}

async function* linesOf(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  const write = createRowWriter();
  for await (const row of rows) {
    const line = write(row);
    if (line !== '') yield `${line}\n`;
  }
}
