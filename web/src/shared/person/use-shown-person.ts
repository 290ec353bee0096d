import { useEffect, useRef, useState } from 'react';

const HOVER_MS = 350;
/** Long enough to move the pointer from the name to the card. */
const LEAVE_MS = 250;

interface Shown {
  /** Names the person in `data-person`. */
  anchor: HTMLElement;
  /** Pressed, so that the card has focus and stays until it is closed. */
  isPinned: boolean;
}

/** Which person's card is shown, and the card itself. */
export function useShownPerson() {
  const [shown, setShown] = useState<Shown>();
  const card = useRef<HTMLDivElement>(null);
  const current = useRef(shown);
  useEffect(() => {
    current.current = shown;
  });
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: Shown | undefined, ms = 0) => {
      clearTimeout(timer);
      if (ms === 0) setShown(next);
      else timer = setTimeout(() => setShown(next), ms);
    };
    const isInCard = (target: EventTarget | null) =>
      card.current?.contains(target as Node) === true;
    const isPinned = () => current.current?.isPinned === true;
    const listen = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { capture: true, signal: stopping.signal });
    listen('pointerover', ({ target, pointerType }) => {
      if (pointerType !== 'mouse' || isPinned()) return;
      const anchor = personAt(target);
      if (isInCard(target)) clearTimeout(timer);
      else if (!anchor) show(undefined, LEAVE_MS);
      else if (anchor !== current.current?.anchor) show({ anchor, isPinned: false }, HOVER_MS);
      else clearTimeout(timer);
    });
    listen('pointerdown', ({ target }) => {
      if (!isInCard(target) && !personAt(target)) show(undefined);
    });
    listen('click', ({ target }) => {
      const anchor = personAt(target);
      if (!anchor?.matches('button')) return;
      const isOpen = isPinned() && current.current?.anchor === anchor;
      show(isOpen ? undefined : { anchor, isPinned: true });
    });
    listen('focusin', ({ target }) => {
      const anchor = personAt(target);
      if (anchor?.matches(':focus-visible') && !isPinned()) show({ anchor, isPinned: false });
    });
    listen('focusout', ({ relatedTarget }) => {
      // Null: the window lost focus, or somebody pressed what takes none.
      if (relatedTarget !== null && !isInCard(relatedTarget)) show(undefined);
    });
    listen('scroll', ({ target }) => {
      if (!current.current || isInCard(target)) return;
      // A new message scrolls the list. What somebody opened moves with it.
      const { anchor } = current.current;
      show(isPinned() && isInView(anchor) ? { anchor, isPinned: true } : undefined);
    });
    listen('keydown', (event) => {
      if (event.key !== 'Escape' || !current.current) return;
      // Nothing else closes with it, such as the thread.
      event.preventDefault();
      event.stopPropagation();
      if (current.current.isPinned) current.current.anchor.focus();
      show(undefined);
    });
    // The pointer may have been there before this was loaded.
    const anchor = document.querySelector<HTMLElement>('[data-person]:hover');
    if (anchor) show({ anchor, isPinned: false }, HOVER_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, []);
  return { shown, card, close: () => setShown(undefined) };
}

function isInView(anchor: HTMLElement): boolean {
  const { top, bottom } = anchor.getBoundingClientRect();
  return anchor.isConnected && bottom > 0 && top < innerHeight;
}

function personAt(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-person]') ?? undefined;
}
