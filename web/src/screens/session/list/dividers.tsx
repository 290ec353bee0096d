import { useTicking } from '../../../ui/marks/time.tsx';
import { dayOf, type Row } from './rows.ts';

const LONG = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const LONG_WITH_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

/** "Today", "Yesterday", then the date. Takes a day such as `2027-03-09` in the reader's time zone. */
export function DayDivider({ day }: { day: string }) {
  const today = useToday();
  return (
    <div className="flex items-center gap-3 px-4 pt-3 pb-1 sm:px-6">
      <span aria-hidden className="h-px flex-1 bg-line" />
      <span className="text-xs font-semibold text-muted">{nameDay(day, today)}</span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  );
}

/** The day of the uppermost message, while its divider is further up. */
export function DayMark({ row }: { row: Row | undefined }) {
  const today = useToday();
  if (row?.kind !== 'message' || row.day !== null) return null;
  return (
    <div
      aria-hidden
      // On a phone it would cover the heading of a long message, which leaves room for it at its end.
      className="pointer-events-none absolute inset-x-3 top-1 z-10 flex justify-end sm:justify-center print:hidden"
    >
      <span className="rounded-full border border-line bg-raised px-3 py-0.5 text-xs font-semibold text-muted shadow-sm">
        <span className="max-sm:hidden">{nameDay(dayOf(row.message), today)}</span>
        <span className="sm:hidden">{nameDay(dayOf(row.message), today, SHORT)}</span>
      </span>
    </div>
  );
}

/** Where the reader left off. */
export function UnreadDivider() {
  return (
    <div className="flex items-center gap-3 px-4 pt-2 pb-1 sm:px-6">
      <span aria-hidden className="h-px flex-1 bg-danger" />
      <span className="text-xs font-semibold text-danger">New</span>
    </div>
  );
}

function nameDay(day: string, today: string, format?: Intl.DateTimeFormat): string {
  if (day === today) return 'Today';
  // Noon, so that a daylight-saving change stays within the day.
  const at = new Date(`${day}T12:00:00`);
  const now = new Date(`${today}T12:00:00`);
  if (Math.round((now.getTime() - at.getTime()) / 86_400_000) === 1) return 'Yesterday';
  const long = at.getFullYear() === now.getFullYear() ? LONG : LONG_WITH_YEAR;
  return (format ?? long).format(at);
}

/** Changes at midnight, even in a tab that stays open. */
function useToday(): string {
  return useTicking(60_000, () => new Date().toLocaleDateString('sv-SE'));
}
