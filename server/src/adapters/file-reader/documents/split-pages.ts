/** A document without pages becomes pages of about so many characters. */
const PAGE = 3000;
/** A block that is longer than this is divided. */
const LONGEST_BLOCK = 2 * PAGE;

/**
 * Joins blocks to pages. Each block ends with its own line breaks: two after a paragraph, one after a line. A page ends
 * between blocks, and never behind a heading.
 */
export async function* splitPages(
  blocks: AsyncIterable<string> | Iterable<string>,
  size = PAGE,
): AsyncGenerator<string> {
  let page: string[] = [];
  let length = 0;
  for await (const block of blocks) {
    for (const piece of block.length > LONGEST_BLOCK ? divide(block, size) : [block]) {
      if (length + piece.length > size && length > 0) {
        const kept = withoutLastHeading(page);
        if (kept.length > 0) yield kept.join('');
        page = page.slice(kept.length);
        length = page.reduce((sum, block) => sum + block.length, 0);
      }
      page.push(piece);
      length += piece.length;
    }
  }
  if (length > 0) yield page.join('');
}

function withoutLastHeading(page: readonly string[]): readonly string[] {
  let end = page.length;
  while (end > 0 && isHeadingOrEmpty(page[end - 1] ?? '')) end--;
  return end === 0 ? page : page.slice(0, end);
}

function isHeadingOrEmpty(block: string): boolean {
  const text = block.trim();
  return text === '' || ((text.startsWith('# ') || text.startsWith('##')) && !text.includes('\n'));
}

/** Where a line, a sentence or a word ends, or somewhere if none does. */
function* divide(block: string, size: number): Generator<string> {
  let at = 0;
  while (block.length - at > size) {
    const piece = block.slice(at, at + size);
    const end = at + endOf(piece);
    yield block.slice(at, end);
    at = end;
  }
  yield block.slice(at);
}

function endOf(piece: string): number {
  const enough = piece.length / 2;
  for (const end of ['\n', '. ', ' ']) {
    const at = piece.lastIndexOf(end);
    if (at > enough) return at + end.length;
  }
  // Not between the halves of a character.
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd8_00 && last < 0xdc_00 ? piece.length - 1 : piece.length;
}
