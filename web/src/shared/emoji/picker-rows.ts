import type { Emoji, EmojiGroup } from '../../../../server/src/text/emoji/emoji.ts';

export const COLUMNS = 9;

export interface Cell {
  /** In the person's skin tone. */
  text: string;
  emoji: Emoji;
}

export type PickerRow = { group: string } & (
  | { kind: 'heading' }
  | { kind: 'emoji'; cells: readonly Cell[] }
);

export interface Place {
  row: number;
  column: number;
}

/** Each group with its heading, in rows. Groups without emoji are left out. */
export function rowsOf(groups: readonly { name: string; cells: readonly Cell[] }[]): PickerRow[] {
  return groups.flatMap(({ name, cells }) => {
    const rows: PickerRow[] = cells.length > 0 ? [{ group: name, kind: 'heading' }] : [];
    for (let at = 0; at < cells.length; at += COLUMNS) {
      rows.push({ group: name, kind: 'emoji', cells: cells.slice(at, at + COLUMNS) });
    }
    return rows;
  });
}

/** People choose whole emoji. Skin tones and hair alone are only parts of others. */
export function choosable(groups: readonly EmojiGroup[]): readonly EmojiGroup[] {
  return groups.slice(0, -1);
}

export function cellAt(rows: readonly PickerRow[], { row, column }: Place): Cell | undefined {
  const found = rows[row];
  return found?.kind === 'emoji' ? found.cells[column] : undefined;
}

export function firstPlace(rows: readonly PickerRow[]): Place {
  return { row: rows.findIndex(({ kind }) => kind === 'emoji'), column: 0 };
}

/** Where a key leads from there: over headings, and into the next row at the end of one. */
export function move(rows: readonly PickerRow[], from: Place, key: string): Place | undefined {
  switch (key) {
    case 'ArrowDown':
      return inRow(rows, nextRow(rows, from.row, 1), from.column) ?? from;
    case 'ArrowUp':
      return inRow(rows, nextRow(rows, from.row, -1), from.column) ?? from;
    case 'ArrowRight':
      if (cellAt(rows, { ...from, column: from.column + 1 })) {
        return { ...from, column: from.column + 1 };
      }
      return inRow(rows, nextRow(rows, from.row, 1), 0) ?? from;
    case 'ArrowLeft':
      if (from.column > 0) return { ...from, column: from.column - 1 };
      return inRow(rows, nextRow(rows, from.row, -1), COLUMNS) ?? from;
    case 'Home':
      return { ...from, column: 0 };
    case 'End':
      return inRow(rows, from.row, COLUMNS);
    default:
      return undefined;
  }
}

function nextRow(rows: readonly PickerRow[], from: number, step: 1 | -1): number {
  let row = from + step;
  while (rows[row]?.kind === 'heading') row += step;
  return row;
}

function inRow(rows: readonly PickerRow[], row: number, column: number): Place | undefined {
  const found = rows[row];
  if (found?.kind !== 'emoji') return undefined;
  return { row, column: Math.min(column, found.cells.length - 1) };
}
