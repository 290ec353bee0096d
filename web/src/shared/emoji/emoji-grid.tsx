import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { cx } from '../../ui/text/cx.ts';
import { COLUMNS, type Cell, type PickerRow, type Place } from './picker-rows.ts';

const HEADING_HEIGHT = 30;
const ROW_HEIGHT = 38;

export interface GridHandle {
  showGroup: (group: string) => void;
}

interface GridProps {
  id: string;
  rows: readonly PickerRow[];
  active: Place;
  /** What the person has chosen already, such as their reactions. */
  chosen: ReadonlySet<string>;
  onActive: (place: Place) => void;
  onChoose: (cell: Cell) => void;
  handle: Ref<GridHandle>;
}

export function cellId(id: string, { row, column }: Place): string {
  return `${id}-${row}-${column}`;
}

/** Only the rows in view are there. Focus stays in the search field, which names the active cell. */
export const EmojiGrid = memo(function EmojiGrid(props: GridProps) {
  const { id, rows, active, chosen, onActive, onChoose, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.kind === 'heading' ? HEADING_HEIGHT : ROW_HEIGHT),
    overscan: 3,
  });
  useEffect(() => virtual.measure(), [virtual, rows]);
  useEffect(() => {
    // With its heading, if it is the first of its group.
    const isFirst = rows[active.row - 1]?.kind === 'heading';
    if (isFirst) virtual.scrollToIndex(active.row - 1);
    virtual.scrollToIndex(active.row);
  }, [virtual, rows, active]);
  useImperativeHandle(handle, () => ({
    showGroup: (group) => {
      const at = rows.findIndex((row) => row.group === group);
      if (at !== -1) virtual.scrollToIndex(at, { align: 'start' });
    },
  }));
  return (
    <div
      ref={scroller}
      id={id}
      role="grid"
      aria-label="Emoji"
      aria-rowcount={rows.length}
      aria-colcount={COLUMNS}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 [scrollbar-width:thin]"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 1}
                className="absolute inset-x-0 top-0 grid grid-cols-9"
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                {row.kind === 'heading' ? (
                  <div
                    role="rowheader"
                    aria-colspan={COLUMNS}
                    className="col-span-full self-end px-1 pb-1 text-xs font-semibold text-muted"
                  >
                    {row.group}
                  </div>
                ) : (
                  row.cells.map((cell, column) => (
                    <EmojiCell
                      key={cell.text}
                      id={cellId(id, { row: index, column })}
                      cell={cell}
                      isActive={active.row === index && active.column === column}
                      isChosen={chosen.has(cell.text)}
                      onActive={() => onActive({ row: index, column })}
                      onChoose={() => onChoose(cell)}
                    />
                  ))
                )}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
});

interface CellProps {
  id: string;
  cell: Cell;
  isActive: boolean;
  isChosen: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function EmojiCell({ id, cell, isActive, isChosen, onActive, onChoose }: CellProps) {
  return (
    <div
      id={id}
      role="gridcell"
      aria-label={cell.emoji.name}
      aria-selected={isChosen}
      className={cx(
        'flex cursor-pointer items-center justify-center rounded-md font-emoji text-[1.375rem] leading-none select-none',
        isChosen && 'bg-accent-soft',
        isActive && 'bg-hover outline-2 -outline-offset-2 outline-accent',
      )}
      // Not on enter: scrolling moves cells under a resting pointer.
      onMouseMove={() => {
        if (!isActive) onActive();
      }}
      // Keeps focus in the search field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {cell.text}
    </div>
  );
}
