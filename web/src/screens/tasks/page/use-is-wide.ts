import { useSyncExternalStore } from 'react';

/** Tailwind's `lg`: there is room for a task and its discussion side by side. */
const WIDE = matchMedia('(min-width: 64rem)');

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      WIDE.addEventListener('change', listener);
      return () => WIDE.removeEventListener('change', listener);
    },
    () => WIDE.matches,
  );
}
