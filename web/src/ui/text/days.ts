/** Days in the format of a date field (`2027-01-31`), and when they begin and end in the local time zone. */

export function dayStart(day: string | undefined): string | undefined {
  return moment(day, 0);
}

/** The first moment of the next day. */
export function dayEnd(day: string | undefined): string | undefined {
  return moment(day, 1);
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
