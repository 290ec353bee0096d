import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type RefObject,
} from 'react';
import type { MessageRequest } from './list-props.ts';
import type { Row } from './rows.ts';

/** A remounted list must not take focus a second time. */
const done = new Set<number>();

/** Tab reaches one message of the list: the one that had focus last. */
export function useFocusedMessage(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  requests: readonly (MessageRequest | null)[],
) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const wanted = useRef<string>(undefined);
  const focusWanted = useCallback(() => {
    if (wanted.current === undefined) return;
    const element = findMessage(scroller.current, wanted.current);
    if (!element) return;
    element.focus({ preventScroll: true });
    wanted.current = undefined;
  }, [scroller]);
  // After every render, because the message may only just have been scrolled into view.
  useEffect(focusWanted);
  const focus = useCallback(
    (id: string) => {
      wanted.current = id;
      setActiveId(id);
      focusWanted();
    },
    [focusWanted],
  );
  useEffect(() => {
    for (const request of requests) {
      if (!request || done.has(request.nth)) continue;
      done.add(request.nth);
      focus(request.id);
    }
  }, [requests, focus]);
  const isThere = useMemo(() => rows.some(({ key }) => key === activeId), [rows, activeId]);
  return {
    activeId: isThere ? activeId : null,
    focus,
    onFocus: ({ target }: FocusEvent) => {
      const id = target.closest<HTMLElement>('[data-message]')?.dataset['message'];
      if (id !== undefined) setActiveId(id);
    },
  };
}

function findMessage(within: HTMLElement | null, id: string): HTMLElement | null {
  return within?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`) ?? null;
}
