import { expect, it } from 'vitest';
import { EMOJI_GROUPS } from '../../../../server/src/text/emoji/emoji.ts';
import { cellAt, choosable, COLUMNS, firstPlace, move, rowsOf } from './picker-rows.ts';

const cellsOf = (count: number) =>
  (EMOJI_GROUPS[0]?.emoji ?? []).slice(0, count).map((emoji) => ({ text: emoji.text, emoji }));
const rows = rowsOf([
  { name: 'Recent', cells: cellsOf(2) },
  { name: 'None', cells: [] },
  { name: 'Many', cells: cellsOf(COLUMNS + 3) },
]);

it('has a heading before each group that has emoji', () => {
  expect(rows.map(({ kind, group }) => `${kind} ${group}`)).toEqual([
    'heading Recent',
    'emoji Recent',
    'heading Many',
    'emoji Many',
    'emoji Many',
  ]);
});

it('is walked through with the arrow keys, over headings', () => {
  const walk = (...keys: string[]) => {
    let place = firstPlace(rows);
    for (const key of keys) place = move(rows, place, key) ?? place;
    return [place.row, place.column];
  };
  expect(walk()).toEqual([1, 0]);
  expect(walk('ArrowUp', 'ArrowLeft')).toEqual([1, 0]);
  expect(walk('End')).toEqual([1, 1]);
  expect(walk('End', 'ArrowRight')).toEqual([3, 0]);
  expect(walk('End', 'ArrowRight', 'ArrowLeft')).toEqual([1, 1]);
  expect(walk('ArrowDown', 'End')).toEqual([3, COLUMNS - 1]);
  // The last row is shorter.
  expect(walk('ArrowDown', 'End', 'ArrowDown')).toEqual([4, 2]);
  expect(walk('ArrowDown', 'End', 'ArrowDown', 'ArrowRight', 'ArrowDown')).toEqual([4, 2]);
  expect(walk('ArrowDown', 'ArrowDown', 'End', 'Home')).toEqual([4, 0]);
  expect(move(rows, { row: 1, column: 0 }, 'a')).toBeUndefined();
  expect(cellAt(rows, { row: 0, column: 0 })).toBeUndefined();
});

it('leaves out parts of other emoji', () => {
  expect(choosable(EMOJI_GROUPS).map(({ name }) => name)).not.toContain('Parts of others');
  expect(choosable(EMOJI_GROUPS)).toHaveLength(9);
});
