import { decodeEntities } from '../../web-pages/entities.ts';
import { indented, listLine, numberLabel } from './list-labels.ts';
import { createRows, type CellSpan } from './table-writer.ts';

const BLOCKS = new Set(
  `address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2
   h3 h4 h5 h6 header hr html main p pre section summary tbody tfoot thead title`.split(/\s+/),
);
const HEADING = /^h([1-6])$/;
export interface Tag {
  name: string;
  isClosing: boolean;
  end: number;
  attribute: (name: string) => string | undefined;
}

/** Blocks with their line breaks: two after a paragraph, one after a row or an item of a list. */
export function createBlockWriter() {
  const rows = createRows();
  /** Innermost last. */
  const lists: { format: string | undefined; next: number }[] = [];
  let text = '';
  let prefix = '';
  let item: string | undefined;
  let title = '';
  let isRow = false;
  let cell: { parts: string[]; span: CellSpan; lists: number } | undefined;
  let preformatted = 0;

  function* flush(): Generator<string> {
    const block = preformatted > 0 ? text.replace(/^\n/, '').trimEnd() : tidy(text);
    text = '';
    if (block.trim() === '') return;
    if (cell) cell.parts.push(block.replaceAll('\n', ' '));
    else if (lists.length > 0) {
      // A second paragraph of an item has no mark of its own.
      yield item === undefined
        ? indented(lists.length, block)
        : listLine(lists.length - 1, item, block);
      item = undefined;
    } else if (prefix !== '# ' || block !== title) yield `${prefix}${block}\n\n`;
    prefix = '';
  }

  function* endCell(): Generator<string> {
    yield* flush();
    if (!cell) return;
    rows.cell(cell.parts.join(' '), cell.span);
    lists.length = Math.min(lists.length, cell.lists);
    cell = undefined;
  }

  function* endRow(): Generator<string> {
    yield* endCell();
    const line = isRow ? rows.endRow() : '';
    isRow = false;
    if (line !== '') yield line;
  }

  function* list({ name, isClosing, attribute }: Tag): Generator<string> {
    yield* flush();
    if (!isClosing) {
      const format = name === 'ol' ? (attribute('type') ?? '1') : undefined;
      lists.push({ format, next: Number(attribute('start') ?? 1) || 1 });
    } else if (lists.pop() && lists.length === 0 && !cell) yield '\n';
    item = undefined;
  }

  function* listItem({ isClosing }: Tag): Generator<string> {
    yield* flush();
    const inside = lists.at(-1);
    if (cell || isClosing) return;
    if (!inside) prefix = '- ';
    else if (inside.format === undefined) item = '-';
    else item = `${numberLabel(inside.next++, inside.format)}.`;
  }

  function* table(tag: Tag): Generator<string> {
    yield* endRow();
    isRow = tag.name === 'tr' && !tag.isClosing;
    if (tag.name !== 'table') return;
    rows.endTable();
    if (tag.isClosing) yield '\n';
  }

  function* tableCell({ isClosing, attribute }: Tag): Generator<string> {
    // The end of a cell need not be written.
    yield* endCell();
    if (isClosing) return;
    isRow = true;
    const count = (name: string) => Number(attribute(name) ?? 1) || 1;
    const span = { columns: count('colspan'), rows: count('rowspan') };
    cell = { parts: [], span, lists: lists.length };
  }

  function* tag(one: Tag): Generator<string> {
    const { name, isClosing } = one;
    if (name === 'br') text += '\n';
    else if (name === 'td' || name === 'th') yield* tableCell(one);
    else if (name === 'tr' || name === 'table') yield* table(one);
    else if (name === 'ul' || name === 'ol') yield* list(one);
    else if (name === 'li') yield* listItem(one);
    else if (BLOCKS.has(name)) {
      const closed = name === 'title' && isClosing ? tidy(text) : title;
      yield* flush();
      title = closed;
      if (name === 'pre') preformatted = Math.max(0, preformatted + (isClosing ? -1 : 1));
      if (!cell) prefix = isClosing ? '' : prefixOf(name);
    }
  }

  return {
    text: (source: string) => {
      const decoded = decodeEntities(source);
      text += preformatted > 0 ? decoded : decoded.replaceAll(/[\s\u{a0}]+/gu, ' ');
    },
    tag,
    flush: endRow,
  };
}

function prefixOf(name: string): string {
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) return `${'#'.repeat(Number(level))} `;
  return name === 'title' ? '# ' : '';
}

function tidy(text: string): string {
  return text
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}
