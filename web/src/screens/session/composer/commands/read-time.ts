import { readDay } from '../../../../ui/pickers/read-day.ts';

/** A time in words, and the text without it. */
export interface ReadTime {
  at: Date;
  rest: string;
}

const UNIT_MINUTES = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };
const MORNING = 9;

const CLOCK = String.raw`(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm)?`;
const SPAN = String.raw`in\s+(\d{1,4}|an?|half an)\s?(m|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?)`;
const DAY = String.raw`(?:on\s+|next\s+)?(today|tomorrow|next week|\d{4}-\d{2}-\d{2}|sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?)(?:,?\s+(?:at\s+)?${CLOCK})?`;
const PHRASE = `(?:${SPAN}|${DAY}|at\\s+${CLOCK})`;
/** At the end or at the beginning, where people say when. In between, it belongs to what they say. */
const PLACES = [
  new RegExp(String.raw`^(?:([^]*?)\s+)?${PHRASE}[.!]?$`, 'i'),
  new RegExp(String.raw`^${PHRASE}(?:[,:]?\s+([^]*))?$`, 'i'),
];

/** `in 20 minutes`, `tomorrow`, `friday at 14:00`, `2027-01-31`, `at 5pm`: in the person's own time zone. */
export function readTime(text: string, now: Date): ReadTime | undefined {
  const [atEnd, atStart] = PLACES.map((place) => place.exec(text.trim()));
  // The text is the first group or the last one.
  const [rest, groups] = atEnd
    ? [atEnd[1], atEnd.slice(2)]
    : [atStart?.at(-1), atStart?.slice(1, -1)];
  if (!groups) return undefined;
  const [count, unit, day, ...clocks] = groups;
  const at =
    count === undefined || unit === undefined
      ? onDay(day?.toLowerCase(), day === undefined ? clocks.slice(3) : clocks, now)
      : later(now, count.toLowerCase(), unit);
  return at && { at, rest: (rest ?? '').trim() };
}

function later(now: Date, count: string, unit: string): Date | undefined {
  const minutes = UNIT_MINUTES[unit.charAt(0).toLowerCase() as keyof typeof UNIT_MINUTES];
  const times = count === 'half an' ? 0.5 : count.startsWith('a') ? 1 : Number(count);
  return new Date(now.getTime() + times * minutes * 60_000);
}

function onDay(
  day: string | undefined,
  [hours, minutes, half]: (string | undefined)[],
  now: Date,
): Date | undefined {
  const clock = readClock(hours, minutes, half?.toLowerCase());
  if (!clock) return undefined;
  const on = (date: number, month = now.getMonth(), year = now.getFullYear()) =>
    new Date(year, month, date, clock.hours, clock.minutes);
  const today = now.getDate();
  if (day === undefined) return on(today) > now ? on(today) : on(today + 1);
  const [year, month = 1, date = 1] = readDay(day, now)?.split('-').map(Number) ?? [];
  return year === undefined ? undefined : on(date, month - 1, year);
}

/** Without a time of day, it is in the morning. */
function readClock(
  hours: string | undefined,
  minutes = '0',
  half: string | undefined,
): { hours: number; minutes: number } | undefined {
  if (hours === undefined) return { hours: MORNING, minutes: 0 };
  const hour = Number(hours);
  if (hour > (half ? 12 : 23) || Number(minutes) > 59 || (half && hour === 0)) return undefined;
  const inDay = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return { hours: inDay, minutes: Number(minutes) };
}
