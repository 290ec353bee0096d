import { dayOf } from '../text/days.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/**
 * The day that somebody means by "tomorrow", "fri", "in 2 weeks", "17 may" or "2030-05-17", as `2030-05-17`.
 * A day without a year is the next one with that name, or the last one if people look back.
 */
export function readDay(text: string, now: Date, isPast = false): string | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (words === '') return undefined;
  return readWord(words, now, isPast) ?? readDistance(words, now) ?? readDate(words, now, isPast);
}

function readWord(words: string, now: Date, isPast: boolean): string | undefined {
  if (isStart(words, 'today')) return dayOf(now);
  if (isStart(words, 'tomorrow', 3)) return dayOf(now, 1);
  if (isStart(words, 'yesterday', 3)) return dayOf(now, -1);
  if (isStart(words, 'next week', 6)) return dayOf(now, daysTo(1, now));
  const weekday = WEEKDAYS.findIndex((name) => isStart(words.replace(/^next /, ''), name));
  if (weekday === -1) return undefined;
  return dayOf(now, daysTo(weekday, now) - (isPast ? 7 : 0));
}

/** To the next day of the week with this number, never today. */
export function daysTo(weekday: number, now: Date): number {
  return (weekday - now.getDay() + 7) % 7 || 7;
}

function readDistance(words: string, now: Date): string | undefined {
  const parts = /^(?:in )?(\d{1,3}) ?(d|days?|w|weeks?|m|months?)$/.exec(words);
  if (!parts) return undefined;
  const [, count = '', unit = ''] = parts;
  if (unit.startsWith('d')) return dayOf(now, Number(count));
  if (unit.startsWith('w')) return dayOf(now, 7 * Number(count));
  return dayOf(new Date(now.getFullYear(), now.getMonth() + Number(count), now.getDate()));
}

function readDate(words: string, now: Date, isPast: boolean): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words);
  if (iso) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,}),?(?: (\d{4}))?$/.exec(words) ??
    /^([a-z]{3,}) (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?$/.exec(words);
  if (named) {
    const [name = '', day = ''] = /^\d/.test(words) ? [named[2], named[1]] : [named[1], named[2]];
    const month = MONTHS.findIndex((one) => isStart(name, one));
    return month === -1 ? undefined : inYear(named[3], month + 1, Number(day), now, isPast);
  }
  const numbers = /^(\d{1,2})([./])(\d{1,2})(?:\2(\d{4})?)?$/.exec(words);
  if (!numbers) return undefined;
  const [first, second] = [Number(numbers[1]), Number(numbers[3])];
  const isMonthFirst = numbers[2] === '/' && MONTH_FIRST;
  const [month, day] = isMonthFirst ? [first, second] : [second, first];
  return inYear(numbers[4], month, day, now, isPast);
}

const MONTH_FIRST =
  new Intl.DateTimeFormat().formatToParts().find(({ type }) => type === 'day' || type === 'month')
    ?.type === 'month';

function inYear(
  year: string | undefined,
  month: number,
  day: number,
  now: Date,
  isPast: boolean,
): string | undefined {
  if (year !== undefined) return checked(Number(year), month, day);
  const thisYear = checked(now.getFullYear(), month, day);
  const today = dayOf(now);
  const isMeant = isPast ? (thisYear ?? '9') <= today : (thisYear ?? '') >= today;
  return isMeant ? thisYear : checked(now.getFullYear() + (isPast ? -1 : 1), month, day);
}

/** Undefined for a day that doesn't exist, such as 31 April. */
function checked(year: number, month: number, day: number): string | undefined {
  const at = new Date(year, month - 1, day, 12);
  const isThere = year >= 1900 && at.getMonth() === month - 1 && at.getDate() === day;
  return isThere ? dayOf(at) : undefined;
}

function isStart(typed: string, word: string, shortest = 3): boolean {
  return typed.length >= shortest && word.startsWith(typed);
}
