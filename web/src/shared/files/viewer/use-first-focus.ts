import { useEffect, useRef } from 'react';

/** For what scrolls: it takes focus from the heading when it appears, so that the keys move it. */
export function useFirstFocus<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches('[data-autofocus]')) {
      ref.current?.focus({ preventScroll: true });
    }
  }, []);
  return ref;
}
