import { useEffect, useRef, type RefObject } from 'react';
import { singleKeys } from '../../../data/device/single-keys.ts';
import { takesLetters } from '../../../ui/keys/takes-keys.ts';
import type { Selection } from './use-selection.ts';

const STEPS: Record<string, 1 | -1> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * The keys of a list of tasks: j and k walk through it, x selects, with Shift a range, Ctrl+A all of them. S, A, P,
 * L and D act on the task with the focus, unless others are selected: it becomes selected, and the bar hears them.
 */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  selection: Selection,
  canChange: boolean,
): void {
  const latest = useRef({ selection, canChange });
  useEffect(() => void (latest.current = { selection, canChange }));
  useEffect(() => {
    const links = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row] a') ?? [])];
    const focused = () =>
      document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];

    function walk(event: KeyboardEvent, step: 1 | -1) {
      const rows = links();
      const isArrow = event.key.startsWith('Arrow');
      const at = rows.findIndex((link) =>
        link.closest('[data-row]')?.contains(document.activeElement),
      );
      // Arrow keys scroll the page until a row has the focus.
      if (isArrow && at < 0) return;
      const next = rows[at < 0 ? 0 : at + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.closest('[data-row]')?.scrollIntoView({ block: 'nearest' });
      const id = next.closest<HTMLElement>('[data-row]')?.dataset['row'];
      if (event.shiftKey && id && latest.current.canChange)
        latest.current.selection.toggle(id, true);
    }

    function onKeyDown(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || event.isComposing || altKey) return;
      if (isElsewhere(event.target)) return;
      const { selection: current, canChange: can } = latest.current;
      const id = focused();
      if (ctrlKey || metaKey) {
        if (key.toLowerCase() !== 'a' || !id || !can) return;
        event.preventDefault();
        current.selectAll();
      } else if (key === 'Escape' && current.selected.length > 0) {
        event.preventDefault();
        current.clear();
      } else if (singleKeys.getState() || key.startsWith('Arrow')) {
        const step = STEPS[key.length === 1 ? key.toLowerCase() : key];
        if (step !== undefined) walk(event, step);
        else if (id && can && key.toLowerCase() === 'x') {
          event.preventDefault();
          current.toggle(id, event.shiftKey);
        } else if (id && can && 'sapld'.includes(key) && current.selected.length === 0) {
          // The bar opens what the key is for.
          current.toggle(id);
        }
      }
    }
    // Before the bar hears it.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [list]);
}

/** A checkbox takes no letters. */
function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [data-picker], [role="menu"]')) return true;
  return takesLetters(target) && !(target as HTMLElement).matches('[data-row] [type="checkbox"]');
}
