import { linesOf, type Line, type TextItem } from './page-lines.ts';

/** How many letters there were of each size, of all pages until now. */
export type LetterSizes = Map<number, number>;

const LONGEST_HEADING = 200;
const HEADING = 1.15;
/** Sizes of headings of the first and the second level, compared with the text's. */
const LEVELS = [1.8, 1.4];
const PARAGRAPH = 1.7;

/** Lines become paragraphs, headings and rows of tables. */
export function textOfPage(items: Iterable<TextItem>, sizes: LetterSizes): string {
  const lines = linesOf(items);
  for (const { size, cells } of lines) {
    const rounded = Math.round(size * 2) / 2;
    sizes.set(rounded, (sizes.get(rounded) ?? 0) + cells.join('').length);
  }
  const usual = [...sizes].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
  const rows = rowsAmong(lines);
  let text = '';
  let last: (Line & { isRow: boolean }) | undefined;
  for (const [index, line] of lines.entries()) {
    const isRow = rows.has(index);
    const written = isRow ? line.cells.join(' | ') : line.cells.join(' ');
    const level = isRow ? 0 : headingLevel(line, written, usual);
    const shown = level > 0 ? `${'#'.repeat(level)} ${written}` : written;
    text = join(text, shown, last && separation(last, { ...line, isRow }, level));
    last = { ...line, isRow, y: level > 0 ? Number.POSITIVE_INFINITY : line.y };
  }
  return text;
}

function headingLevel(line: Line, text: string, usual: number): number {
  const ratio = usual > 0 ? line.size / usual : 1;
  const isWords = /\p{L}{2}/u.test(text);
  if (ratio < HEADING || !isWords || text.length > LONGEST_HEADING || line.isRotated) return 0;
  const level = LEVELS.findIndex((least) => ratio >= least) + 1;
  return level === 0 ? 3 : level;
}

function separation(
  last: Line & { isRow: boolean },
  line: Line & { isRow: boolean },
  level: number,
): '\n' | '\n\n' {
  if (last.isRow && line.isRow) return '\n';
  const isApart = Math.abs(last.y - line.y) > PARAGRAPH * Math.max(last.size, line.size);
  return level > 0 || isApart || last.isRow || line.isRow ? '\n\n' : '\n';
}

/** A word that was divided at the end of a line becomes whole. */
function join(text: string, line: string, separator: '\n' | '\n\n' | undefined): string {
  if (separator === undefined) return line;
  const isDivided =
    separator === '\n' && /\p{Ll}[-\u{ad}]$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(line);
  return isDivided ? text.slice(0, -1) + line : text + separator + line;
}

const SHORT_CELL = 45;

/** Lines with several cells, next to others like them. Two columns of running text are not a table. */
function rowsAmong(lines: readonly Line[]): ReadonlySet<number> {
  const rows = new Set<number>();
  for (let start = 0; start < lines.length;) {
    let end = start;
    while (end < lines.length && isRow(lines[end])) end++;
    if (end - start >= 2) {
      for (let index = start; index < end; index++) rows.add(index);
    }
    start = Math.max(end, start + 1);
  }
  return rows;
}

function isRow(line: Line | undefined): boolean {
  if (!line || line.cells.length < 2) return false;
  return line.cells.length > 2 || line.cells.every((cell) => cell.length <= SHORT_CELL);
}
