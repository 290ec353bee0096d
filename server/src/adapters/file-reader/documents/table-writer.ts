/** How many columns and rows a cell takes, or that it goes on from the one above. */
export interface CellSpan {
  columns?: number;
  rows?: number;
  isContinued?: boolean;
}

/** More would be an attack. */
const MOST_COLUMNS = 1_000;
const MOST_ROWS = 10_000;

/** Rows of cells, each in its column: what spans several rows is repeated, so that each row can be read alone. */
export function createRows() {
  const above = new Map<number, { text: string; left: number }>();
  let last: readonly string[] = [];
  let cells: string[] = [];

  function addCarried(): void {
    for (;;) {
      const carried = above.get(cells.length);
      if (!carried || carried.left === 0) return;
      carried.left--;
      cells.push(carried.text);
    }
  }

  return {
    cell(text: string, { columns = 1, rows = 1, isContinued = false }: CellSpan = {}) {
      addCarried();
      const shown = isContinued ? (last[cells.length] ?? '') : text;
      const width = Math.max(1, Math.min(columns, MOST_COLUMNS - cells.length));
      for (let at = 0; at < width; at++) {
        const part = at === 0 ? shown : '';
        if (rows > 1) above.set(cells.length, { text: part, left: Math.min(rows, MOST_ROWS) - 1 });
        cells.push(part);
      }
    },
    /** The row as a line, or nothing if it is empty. */
    endRow(): string {
      addCarried();
      last = cells;
      cells = [];
      const end = last.findLastIndex(Boolean) + 1;
      return end === 0 ? '' : `${last.slice(0, end).join(' | ')}\n`;
    },
    endTable() {
      above.clear();
      last = [];
      cells = [];
    },
  };
}

/** Writes the outermost table. What is in tables inside a cell belongs to the cell. */
export function createTableWriter(emit: (block: string) => void) {
  const rows = createRows();
  let depth = 0;
  let cell: string[] = [];
  let span: CellSpan = {};
  return {
    isOpen: () => depth > 0,
    text: (text: string) => void cell.push(text.replaceAll(/\s+/g, ' ')),
    open(name: 'tbl' | 'tr' | 'tc') {
      if (name === 'tbl') depth++;
      else if (name === 'tc' && depth === 1) span = {};
    },
    /** Of the cell that is open. */
    span(more: CellSpan) {
      if (depth === 1) span = { ...span, ...more };
    },
    close(name: 'tbl' | 'tr' | 'tc') {
      if (name === 'tbl') {
        depth = Math.max(0, depth - 1);
        if (depth > 0) return;
        rows.endTable();
        emit('\n');
      } else if (depth === 1 && name === 'tc') {
        rows.cell(cell.join(' '), span);
        cell = [];
      } else if (depth === 1) {
        const line = rows.endRow();
        if (line !== '') emit(line);
      }
    },
  };
}
