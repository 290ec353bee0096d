import type { Page } from 'playwright-core';

export const FRAME_MS = 1000 / 60;

/** The times between frames while something happens. */
export async function watchFrames(page: Page, run: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(`
    window.frameTimes = [];
    window.isWatching = true;
    requestAnimationFrame(function look(last) {
      requestAnimationFrame((now) => {
        window.frameTimes.push(now - last);
        if (window.isWatching) look(now);
      });
    });
  `);
  await run();
  return page.evaluate<number[]>('window.isWatching = false, window.frameTimes');
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
