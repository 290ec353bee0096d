/** Rows of a table that may have thousands: each names its columns, so that it can be understood alone. */
export function createRowWriter(): (cells: readonly string[]) => string {
  let headers: readonly string[] | undefined;
  return (cells) => {
    const line = oneLine(cells);
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    // Above the names of the columns, there may be a title.
    if (headers === undefined && filled < 2) return line;
    if (headers === undefined) {
      headers = isHeader(cells) ? cells.map((cell) => cell.trim()) : [];
      return line;
    }
    if (!headers || headers.length === 0) return line;
    return oneLine(cells.map((cell, column) => named(cell, headers?.[column])));
  };
}

/** ` | ` between the cells that have something in them. */
function oneLine(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' | ');
}

function named(cell: string, header: string | undefined): string {
  return header && cell.trim() !== '' ? `${header}: ${cell}` : cell;
}

const LONGEST_HEADER = 100;

/** At least two different words, and no numbers. */
function isHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter(Boolean);
  const areNames = names.every((name) => name.length <= LONGEST_HEADER && /^[^\d]/.test(name));
  return names.length >= 2 && areNames && new Set(names).size === names.length;
}
