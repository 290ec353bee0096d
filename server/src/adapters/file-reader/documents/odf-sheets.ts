import type { XmlHandler } from '../parts/xml-reader.ts';
import { paragraphHandler } from './odf-handlers.ts';

export type SheetEvent = { kind: 'sheet'; name: string } | { kind: 'row'; cells: string[] };

const MOST_COLUMNS = 16_384;
/** A cell or row with content that is said to repeat a million times is written so often. */
const MOST_REPEATED = 100;

export function spreadsheetHandler(emit: (event: SheetEvent) => void): XmlHandler {
  let cells: string[] = [];
  let cell: string[] = [];
  let value = '';
  let repeated = 1;
  let rowRepeated = 1;

  const times = (text: string | undefined) => Math.max(1, Number(text ?? 1) || 1);

  function endCell(): void {
    const text = cell.join(' ') || value;
    const count = text === '' ? repeated : Math.min(repeated, MOST_REPEATED);
    for (let index = 0; index < count && cells.length < MOST_COLUMNS; index++) cells.push(text);
    cell = [];
  }

  function endRow(): void {
    if (!cells.some(Boolean)) return;
    for (let index = 0; index < Math.min(rowRepeated, MOST_REPEATED); index++) {
      emit({ kind: 'row', cells });
    }
  }

  return paragraphHandler(({ text }) => void cell.push(text), {
    open(name, attributes) {
      if (name === 'table') {
        emit({ kind: 'sheet', name: attributes.get('table:name') ?? attributes.get('name') ?? '' });
      } else if (name === 'table-row') {
        cells = [];
        rowRepeated = times(attributes.get('number-rows-repeated'));
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        repeated = times(attributes.get('number-columns-repeated'));
        value = attributes.get('date-value') ?? attributes.get('value') ?? '';
      }
    },
    close(name) {
      if (name === 'table-cell' || name === 'covered-table-cell') endCell();
      else if (name === 'table-row') endRow();
    },
  });
}
