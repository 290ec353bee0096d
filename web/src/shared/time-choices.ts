export interface TimeChoice {
  label: string;
  at: Date;
}

const MINUTE_MS = 60_000;
const MORNING = 9;

/** The times that people choose most, in the reader's own time zone. */
export function timeChoices(now: Date): TimeChoice[] {
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: 'In 20 minutes', at: inMinutes(20) },
    { label: 'In 1 hour', at: inMinutes(60) },
    { label: 'In 3 hours', at: inMinutes(180) },
    { label: 'Tomorrow at 9', at: morning(now, 1) },
    // On a Sunday, that is tomorrow.
    ...(daysToMonday > 1 ? [{ label: 'Monday at 9', at: morning(now, daysToMonday) }] : []),
  ];
}

/** By the calendar, so that a change to summer time changes nothing. */
function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

const WHEN = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

export function inWords(at: Date): string {
  return WHEN.format(at);
}
