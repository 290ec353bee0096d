import type { Page } from 'playwright-core';

/** One tap or key, from the input to the frame after its handlers, as browsers measure it for INP. */
export interface Interaction {
  /** The input itself, such as `keydown`. */
  event: string;
  /** Until the frame was shown. */
  totalMs: number;
  /** Until handlers ran, and until they had run. */
  waitMs: number;
  workMs: number;
}

interface Entry {
  id: number;
  name: string;
  startTime: number;
  duration: number;
  processingStart: number;
  processingEnd: number;
}

/** What browsers report at least. Shorter ones are only counted. */
const LEAST_MS = 16;

/** Before the page is opened: it then keeps its interactions. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript(`(() => {
    window.interactionEntries = [];
    const keep = (list) => window.interactionEntries.push(...list.getEntries()
      .filter(({ interactionId }) => interactionId > 0)
      .map(({ interactionId, name, startTime, duration, processingStart, processingEnd }) =>
        ({ id: interactionId, name, startTime, duration, processingStart, processingEnd })));
    new PerformanceObserver(keep).observe({ type: 'event', durationThreshold: ${LEAST_MS}, buffered: true });
  })()`);
}

/** What was done on this page meanwhile, one for each tap or key, the shortest as if they had taken the least. */
export async function measureInteractions(
  page: Page,
  run: () => Promise<void>,
): Promise<Interaction[]> {
  const before = await countInputs(page);
  await page.evaluate('window.interactionEntries = []');
  await run();
  // Entries come after their frame, when the page has a moment.
  await page.waitForTimeout(500);
  const entries = await page.evaluate<Entry[]>('window.interactionEntries');
  const measured = [...Map.groupBy(entries, ({ id }) => id).values()].flatMap(longestOf);
  const isShort = Math.max(0, (await countInputs(page)) - before - measured.length);
  const short = { event: 'short', totalMs: LEAST_MS, waitMs: 0, workMs: 0 };
  return [...measured, ...Array.from({ length: isShort }, () => short)];
}

function longestOf(entries: readonly Entry[]): Interaction[] {
  const longest = entries.toSorted((a, b) => b.duration - a.duration)[0];
  if (!longest) return [];
  const { name, startTime, duration, processingStart, processingEnd } = longest;
  const waitMs = processingStart - startTime;
  return [{ event: name, totalMs: duration, waitMs, workMs: processingEnd - processingStart }];
}

async function countInputs(page: Page): Promise<number> {
  return page.evaluate<number>(`['keydown', 'pointerdown']
    .reduce((sum, name) => sum + (performance.eventCounts.get(name) ?? 0), 0)`);
}
