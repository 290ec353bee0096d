/** When a status can end, from the moment it is set. */
export const ENDS = {
  none: 'When I clear it',
  '30m': 'In 30 minutes',
  '1h': 'In 1 hour',
  '4h': 'In 4 hours',
  today: 'Today',
  week: 'This week',
  date: 'Choose a date…',
} as const;
export type End = keyof typeof ENDS;

const MINUTES = { '30m': 30, '1h': 60, '4h': 240 } as const;

/** Null for one without an end. `day` is the last day, as in a date field. */
export function endOf(end: End, day: string, now = new Date()): Date | null {
  if (end === 'none') return null;
  if (end === '30m' || end === '1h' || end === '4h') {
    return new Date(now.getTime() + MINUTES[end] * 60_000);
  }
  if (end === 'date') return endOfDay(new Date(`${day}T12:00`));
  // The week ends with Sunday.
  const days = end === 'week' ? (7 - now.getDay()) % 7 : 0;
  return endOfDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days));
}

/** In this browser's time zone, one millisecond before the next day. */
function endOfDay(day: Date): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 23, 59, 59, 999);
}
