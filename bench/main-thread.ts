import type { Browser, Page } from 'playwright-core';

/** What a page was busy with from an input until the frame that answers it. */
export interface Interaction {
  /** Of its longest event. */
  wallMs: number;
  /** Processor time of the main thread, which other programs don't add to. */
  busyMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  /** In microseconds, and so are the next two. */
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
  args: { data?: { interactionId?: number; duration?: number } };
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** Records what the main thread does meanwhile, and says what each interaction cost. */
export async function traceInteractions(
  browser: Browser,
  page: Page,
  run: () => Promise<void>,
): Promise<Interaction[]> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await run();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  return findInteractions(trace.traceEvents);
}

function findInteractions(events: readonly TraceEvent[]): Interaction[] {
  const begun = events.filter(
    ({ name, ph, args }) => name === 'EventTiming' && ph === 'b' && args.data?.interactionId,
  );
  const byInteraction = Map.groupBy(begun, ({ args }) => args.data?.interactionId);
  return [...byInteraction.values()].flatMap((all) => {
    const longest = all.toSorted((a, b) => durationOf(b) - durationOf(a))[0];
    if (!longest) return [];
    const span = { from: longest.ts, to: longest.ts + durationOf(longest) * 1000 };
    const tasks = events.filter(
      ({ name, pid, tid }) => name === 'RunTask' && pid === longest.pid && tid === longest.tid,
    );
    const busy = tasks.reduce((total, task) => total + partWithin(task, span), 0);
    return [{ wallMs: durationOf(longest), busyMs: busy / 1000 }];
  });
}

function durationOf({ args }: TraceEvent): number {
  return args.data?.duration ?? 0;
}

/** A task may begin before the input, or end after the frame. */
function partWithin({ ts, dur = 0, tdur }: TraceEvent, { from, to }: { from: number; to: number }) {
  const inside = Math.min(ts + dur, to) - Math.max(ts, from);
  return inside <= 0 || dur === 0 ? 0 : ((tdur ?? dur) * inside) / dur;
}
