import type { Task } from '@atrium/sdk';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  type SetStateAction,
} from 'react';
import { COLUMNS, type Column, type Place } from './columns.ts';
import { followPointer } from './follow-pointer.ts';
import { liftCard, type Lifted } from './lift.ts';

/** The gap a dragged card would go to: before the nth other card of a column. */
export interface Gap {
  column: Column;
  nth: number;
}

export interface Drag {
  task: Task;
  gap: Gap;
  isByKeyboard: boolean;
}

export interface Move {
  task: Task;
  place: Place;
  isByKeyboard: boolean;
}

/** Near an edge, the board and its columns scroll. */
const EDGE = 48;

/** Moves cards with the pointer or the keyboard, between the columns that are shown. `idsIn` lists a column's cards in their order. */
export function useDrag(
  columns: readonly Column[],
  idsIn: (column: Column) => readonly string[],
  onMove: (move: Move) => void,
) {
  const [drag, setDrag] = useState<Drag>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  // A drag lasts many renders, and others move tasks meanwhile.
  const latest = useRef({ columns, idsIn, onMove, drag });
  useLayoutEffect(() => {
    latest.current = { columns, idsIn, onMove, drag };
    if (!drag?.isByKeyboard) return;
    const grip = `[data-card="${drag.task.id}"] [data-grip]`;
    if (!document.activeElement?.matches(grip)) setDrag(undefined);
  }, [columns, drag, idsIn, onMove]);
  // The same ones for all renders, so that only cards that change are rendered again.
  const [handlers] = useState(() => createHandlers(latest, stop, setDrag));
  return { drag, handlers };
}

export type DragHandlers = ReturnType<typeof createHandlers>;

interface Latest {
  columns: readonly Column[];
  idsIn: (column: Column) => readonly string[];
  onMove: (move: Move) => void;
  drag: Drag | undefined;
}

function createHandlers(
  latest: RefObject<Latest>,
  stop: RefObject<(() => void) | undefined>,
  setDrag: Dispatch<SetStateAction<Drag | undefined>>,
) {
  const others = (column: Column, task: Task) =>
    latest.current.idsIn(column).filter((id) => id !== task.id);

  function gapOf(task: Task): Gap | undefined {
    for (const column of COLUMNS) {
      const nth = latest.current.idsIn(column).indexOf(task.id);
      if (nth >= 0) return { column, nth };
    }
    return undefined;
  }

  function drop({ task, gap, isByKeyboard }: Drag) {
    setDrag(undefined);
    const start = gapOf(task);
    if (start && isSame(start, gap)) return;
    const afterTaskId = others(gap.column, task)[gap.nth - 1] ?? null;
    latest.current.onMove({ task, place: { status: gap.column, afterTaskId }, isByKeyboard });
  }

  function onPointerDown(event: PointerEvent, task: Task) {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    const isOnGrip = button?.matches('[data-grip]') === true;
    // A finger scrolls the column, unless it is on the grip.
    if (event.button !== 0 || (!isOnGrip && (button || event.pointerType !== 'mouse'))) return;
    let current: Drag | undefined;
    let lifted: Lifted | undefined;
    const { clientX, clientY } = event;
    stop.current = followPointer(event, {
      onFrame(x, y) {
        lifted ??= liftCard(task.id, clientX, clientY);
        lifted?.moveTo(x, y);
        const gap = findGap(x, y, task.id) ?? current?.gap ?? gapOf(task);
        if (!gap || (current && isSame(gap, current.gap))) return;
        current = { task, gap, isByKeyboard: false };
        setDrag(current);
      },
      onEnd(isDropped) {
        if (current && isDropped) drop(current);
        else setDrag(undefined);
        lifted?.settle();
        lifted = undefined;
      },
      onStop: () => lifted?.settle(),
    });
  }

  function onGripKeyDown(event: KeyboardEvent, task: Task) {
    const { columns, drag } = latest.current;
    const held = drag?.isByKeyboard && drag.task.id === task.id ? drag : undefined;
    const isPress = event.key === ' ' || event.key === 'Enter';
    if (!held) {
      const gap = gapOf(task);
      if (!isPress || !gap) return;
      event.preventDefault();
      setDrag({ task, gap, isByKeyboard: true });
      return;
    }
    const count = (column: Column) => others(column, task).length;
    const gap = step(event.key, held.gap, columns, count);
    if (!isPress && !gap && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (isPress) {
      const lifted = liftCard(task.id);
      drop(held);
      lifted?.settle();
    } else setDrag(gap && { ...held, gap });
  }

  return {
    onPointerDown,
    onGripKeyDown,
    /** When the grip loses focus, what is held goes back. */
    onGripBlur: () => setDrag((held) => (held?.isByKeyboard ? undefined : held)),
  };
}

function isSame(one: Gap, other: Gap): boolean {
  return one.column === other.column && one.nth === other.nth;
}

function step(
  key: string,
  { column, nth }: Gap,
  columns: readonly Column[],
  count: (column: Column) => number,
): Gap | undefined {
  if (key === 'ArrowUp') return { column, nth: Math.max(nth - 1, 0) };
  if (key === 'ArrowDown') return { column, nth: Math.min(nth + 1, count(column)) };
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const next = columns[columns.indexOf(column) + (key === 'ArrowLeft' ? -1 : 1)] ?? column;
  return { column: next, nth: Math.min(nth, count(next)) };
}

/** The gap under the pointer, and scrolls there if it is near an edge. */
function findGap(x: number, y: number, taskId: string): Gap | undefined {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]');
  const column = COLUMNS.find((one) => one === element?.dataset['column']);
  if (!element || !column) return undefined;
  scrollNear(element.closest('[data-board]'), x, 'left');
  scrollNear(element.querySelector('ol'), y, 'top');
  const cards = [...element.querySelectorAll<HTMLElement>('[data-card]')].filter(
    (card) => card.dataset['card'] !== taskId,
  );
  const below = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  return { column, nth: below < 0 ? cards.length : below };
}

function scrollNear(box: Element | null, at: number, side: 'left' | 'top') {
  if (!box) return;
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const [start, end] = side === 'left' ? [left, right] : [top, bottom];
  const by = at - start < EDGE ? -12 : end - at < EDGE ? 12 : 0;
  if (by !== 0) box.scrollBy({ [side]: by });
}
