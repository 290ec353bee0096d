/** Days in the format of a date field (`2027-01-31`), and when they begin and end in the local time zone. */

export function dayStart(day: string | undefined): string | undefined {
  return moment(day, 0);
}

/** The first moment of the next day. */
export function dayEnd(day: string | undefined): string | undefined {
  return moment(day, 1);
}

/** The day of a moment in the local time zone, or one some days later. */
export function dayOf(at: Date, later = 0): string {
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() + later, 12);
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part, nth) => String(part).padStart(nth === 0 ? 4 : 2, '0')).join('-');
}

const SHOWN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export function dayInWords(day: string): string {
  const at = dayStart(day);
  return at ? SHOWN.format(new Date(at)) : day;
}

/** Undefined if it isn't a day, since an address may contain anything. */
function moment(day: string | undefined, later: number): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!parts) return undefined;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later);
  return at.toISOString();
}
