/** A page in the background paints nothing. */
const LONGEST_MS = 100;

/**
 * Resolves when the page has been painted. So a click is answered at once, with its link marked, and what it
 * leads to is drawn after that.
 */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, LONGEST_MS);
  });
}
