import type { Page } from 'playwright-core';

export const FRAME_MS = 1000 / 60;

/** The times between frames while something happens. */
export async function watchFrames(page: Page, run: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(`{
    const times = [];
    window.frameTimes = times;
    requestAnimationFrame(function look(last) {
      requestAnimationFrame((now) => {
        times.push(now - last);
        if (window.frameTimes === times) look(now);
      });
    });
  }`);
  await run();
  const times = await page.evaluate<number[]>('window.frameTimes');
  await page.evaluate('window.frameTimes = undefined');
  return times;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
