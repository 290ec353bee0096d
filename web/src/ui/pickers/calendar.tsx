import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '../text/cx.ts';
import { dayOf } from '../text/days.ts';

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'narrow' });

interface CalendarProps {
  label: string;
  value: string | null;
  now: Date;
  isWithin: (day: string) => boolean;
  onChoose: (day: string) => void;
}

/** One month. Tab reaches one day, and the arrow keys lead from there, into other months too. */
export function Calendar({ label, value, now, isWithin, onChoose }: CalendarProps) {
  const [at, setAt] = useState(() => (value ? new Date(`${value}T12:00:00`) : now));
  const grid = useRef<HTMLTableElement>(null);
  const isByKey = useRef(false);
  useEffect(() => {
    if (!isByKey.current) return;
    isByKey.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [at]);
  function handleKey(event: KeyboardEvent) {
    const next = step(at, event.key);
    if (!next) return;
    event.preventDefault();
    isByKey.current = true;
    setAt(next);
  }
  const weeks = weeksOf(at);
  const current = dayOf(at);
  return (
    <div className="flex flex-col gap-1 border-t border-line p-2">
      <div className="flex items-center justify-between pl-1">
        <p aria-live="polite" className="text-note font-medium">
          {MONTH.format(at)}
        </p>
        <div className="flex">
          <Arrow label="Previous month" icon={ChevronLeft} onClick={() => setAt(inMonth(at, -1))} />
          <Arrow label="Next month" icon={ChevronRight} onClick={() => setAt(inMonth(at, 1))} />
        </div>
      </div>
      <table
        ref={grid}
        role="grid"
        aria-label={`${label}, ${MONTH.format(at)}`}
        className="w-full table-fixed text-center text-note"
        onKeyDown={handleKey}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.getDay()} scope="col" className="font-normal text-muted">
                {WEEKDAY.format(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={dayOf(week[0] ?? at)}>
              {week.map((date) => {
                const day = dayOf(date);
                return (
                  <td key={day} aria-selected={day === value}>
                    <button
                      type="button"
                      tabIndex={day === current ? 0 : -1}
                      aria-label={FULL.format(date)}
                      aria-current={day === dayOf(now) ? 'date' : undefined}
                      aria-disabled={!isWithin(day) || undefined}
                      className={cx(
                        'inline-flex h-7 w-full items-center justify-center rounded-md hover:bg-hover aria-[current=date]:font-bold aria-[current=date]:text-accent aria-disabled:cursor-not-allowed aria-disabled:line-through aria-disabled:opacity-60 pointer-coarse:h-9',
                        date.getMonth() !== at.getMonth() && 'text-muted',
                        day === value && 'bg-accent-strong text-on-accent! hover:bg-accent-strong',
                      )}
                      onClick={() => isWithin(day) && onChoose(day)}
                    >
                      {date.getDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ArrowProps {
  label: string;
  icon: typeof ChevronLeft;
  onClick: () => void;
}

function Arrow({ label, icon: Icon, onClick }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className="inline-flex size-7 items-center justify-center rounded-md hover:bg-hover"
      onClick={onClick}
    >
      <Icon aria-hidden className="size-4 rtl:-scale-x-100" />
    </button>
  );
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function step(at: Date, key: string): Date | undefined {
  if (key === 'PageUp' || key === 'PageDown') return inMonth(at, key === 'PageUp' ? -1 : 1);
  const days = STEPS[key];
  if (days === undefined) return undefined;
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12);
}

/** The same day in another month, or its last. */
function inMonth(at: Date, months: number): Date {
  const last = new Date(at.getFullYear(), at.getMonth() + months + 1, 0, 12);
  const date = Math.min(at.getDate(), last.getDate());
  return new Date(last.getFullYear(), last.getMonth(), date, 12);
}

/** The first day of the week where the reader is: 0 is Sunday. */
const FIRST_DAY = firstDay(new Intl.Locale(navigator.language));

function firstDay(locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } }): number {
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** All weeks that have a day of the month. */
function weeksOf(at: Date): Date[][] {
  const first = new Date(at.getFullYear(), at.getMonth(), 1, 12);
  const before = (first.getDay() - FIRST_DAY + 7) % 7;
  const length = new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate();
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from(
      { length: 7 },
      (__, day) => new Date(at.getFullYear(), at.getMonth(), 1 - before + 7 * week + day, 12),
    ),
  );
}
