/** What pdfjs says about a piece of text. */
export interface TextItem {
  str: string;
  /** Scale, skew and position. */
  transform: readonly number[];
  width: number;
  hasEOL: boolean;
  dir?: string;
}

export interface Line {
  /** Divided where there is more room than between words. */
  cells: string[];
  /** Of the letters. */
  size: number;
  y: number;
  isRotated: boolean;
}

/** Narrower than a space in any font, and wider than what is between letters. */
const SPACE = 0.15;
/** More room than the width of a letter is not just a space. */
const GAP = 1;
const NEW_LINE = 0.6;

/** The lines of a page in the order in which it was written, which is nearly always the order of reading. */
export function linesOf(items: Iterable<TextItem>): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  let start = 0;
  let end = 0;
  let isEnded = true;
  let wasLeftwards = false;
  for (const item of items) {
    const { str, transform, width } = item;
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
    const size = Math.hypot(c, d);
    if (str.trim() !== '') {
      const isRotated = Math.abs(b) > Math.abs(a);
      const isMoved =
        !isRotated && line && Math.abs(y - line.y) > NEW_LINE * Math.max(size, line.size);
      if (!line || isEnded || isMoved) {
        line = { cells: [''], size, y, isRotated };
        lines.push(line);
        start = x;
        end = x;
        wasLeftwards = false;
      }
      const isFar = !isRotated && x - end > GAP * size;
      const isLeftwards = item.dir === 'rtl';
      // In a line of Hebrew or Arabic, the next piece is on the left, and so is a number.
      const room = start - (x + width);
      const isApart = (isLeftwards || wasLeftwards) && !isRotated && room > SPACE * size;
      append(line, isApart ? ` ${str}` : str, isFar);
      wasLeftwards = isLeftwards;
      line.size = Math.max(line.size, size);
      start = x;
      end = isRotated ? end : x + width;
      isEnded = false;
    } else if (line && str !== '' && !isEnded) {
      append(line, ' ', false);
    }
    isEnded ||= item.hasEOL;
  }
  return lines.map(tidyLine).filter(({ cells }) => cells.length > 0);
}

function append(line: Line, text: string, isFar: boolean): void {
  if (isFar && line.cells.at(-1)?.trim() !== '') line.cells.push(text);
  else line.cells.push(`${line.cells.pop() ?? ''}${text}`);
}

function tidyLine(line: Line): Line {
  const cells = line.cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
  return { ...line, cells: cells.filter(Boolean) };
}
