import { useDeferredValue } from 'react';

/**
 * False at first, and true once the page has been painted. For long lists in what a key or a click opens:
 * its frame is there at once, and takes what is typed meanwhile.
 */
export function useAfterPaint(): boolean {
  return useDeferredValue(true, false);
}
