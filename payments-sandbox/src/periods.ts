import type { Price } from './objects.ts';

/** Counted from the anchor, so that the 31st comes back after a short month. Times are in seconds. */
export function nextPeriodEnd(anchor: number, end: number, { recurring }: Price): number {
  const first = new Date(anchor * 1000);
  const last = new Date(end * 1000);
  const passed =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 +
    (last.getUTCMonth() - first.getUTCMonth());
  return addMonths(first, passed + (recurring?.interval === 'year' ? 12 : 1)).getTime() / 1000;
}

function addMonths(from: Date, months: number): Date {
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), days));
  return moved;
}
