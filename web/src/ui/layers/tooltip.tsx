import { useEffect, useRef } from 'react';
import { placeAbove } from './place-above.ts';

const HOVER_MS = 500;

/**
 * The page's only tooltip, mounted once. It follows the pointer and focus from control to control and shows
 * their `data-tooltip`. A popover, so that it is above dialogs too. It isn't read aloud, because the
 * control's name is. So it is never the only place something is said.
 */
export function TooltipLayer() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = ref.current as HTMLDivElement;
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      if (box.matches(':popover-open')) box.hidePopover();
    };
    const show = (target: HTMLElement) => {
      if (!target.isConnected) return;
      box.textContent = target.dataset['tooltip'] ?? '';
      box.showPopover();
      placeAbove(box, target.getBoundingClientRect());
    };
    const listen = (type: string, listener: (event: Event) => void) =>
      document.addEventListener(type, listener, { capture: true, signal: stopping.signal });
    listen('pointerover', (event) => {
      const target = described(event.target);
      hide();
      if (target && (event as PointerEvent).pointerType === 'mouse') {
        timer = setTimeout(() => show(target), HOVER_MS);
      }
    });
    listen('focusin', (event) => {
      const target = described(event.target);
      hide();
      if (target?.matches(':focus-visible')) show(target);
    });
    for (const type of ['focusout', 'pointerdown', 'keydown', 'scroll']) listen(type, hide);
    return () => {
      hide();
      stopping.abort();
    };
  }, []);
  return (
    <div
      ref={ref}
      popover="manual"
      aria-hidden
      className="pointer-events-none fixed inset-auto m-0 max-w-xs rounded-md border-0 bg-ink px-2 py-1 text-xs wrap-anywhere text-ground shadow-lg"
    />
  );
}

function described(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;
}
