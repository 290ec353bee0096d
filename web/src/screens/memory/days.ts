/** Days as a date field has them (`2027-01-31`), and the moments they begin and end where the person is. */

export function dayStart(day: string | undefined): string | undefined {
  return moment(day, 0);
}

/** The moment after the day's last. */
export function dayEnd(day: string | undefined): string | undefined {
  return moment(day, 1);
}

const SHOWN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export function dayInWords(day: string): string {
  const at = dayStart(day);
  return at ? SHOWN.format(new Date(at)) : day;
}

/** Undefined for what is no day: an address may have anything. */
function moment(day: string | undefined, later: number): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!parts) return undefined;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later);
  return at.toISOString();
}
