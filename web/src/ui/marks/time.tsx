import { useCallback, useSyncExternalStore } from 'react';

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
];

/** "5 minutes ago" for up to a week, then the date. */
export function Ago({ at }: { at: string }) {
  useTicking(30_000, () => Math.floor(Date.now() / 60_000));
  return <Moment at={at}>{ago(at)}</Moment>;
}

/** Only the time of day, for lists grouped by day. */
export function Clock({ at }: { at: string }) {
  return <Moment at={at}>{CLOCK.format(new Date(at))}</Moment>;
}

export function Day({ at }: { at: string }) {
  return <Moment at={at}>{DAY.format(new Date(at))}</Moment>;
}

/** The full date is in its title. */
function Moment({ at, children }: { at: string; children: string }) {
  return (
    <time dateTime={at} title={FULL.format(new Date(at))}>
      {children}
    </time>
  );
}

function ago(at: string): string {
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000;
  const size = Math.abs(seconds);
  if (size < 60) return 'just now';
  if (size > 7 * 86_400) return DAY.format(new Date(at));
  const [unit, length] = UNITS.findLast(([, length]) => size >= length) ?? ['minute', 60];
  return RELATIVE.format(Math.round(seconds / length), unit);
}

/** What the clock says, looked at again and again. */
export function useTicking<Value extends string | number>(ms: number, read: () => Value): Value {
  const subscribe = useCallback(
    (tick: () => void) => {
      const timer = setInterval(tick, ms);
      return () => clearInterval(timer);
    },
    [ms],
  );
  return useSyncExternalStore(subscribe, read);
}
