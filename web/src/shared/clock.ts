/** Times of a day as `09:30`, which is how they are kept here whatever the reader's browser shows. */
export function clockOf(at: Date): string {
  return clockAt(at.getHours(), at.getMinutes());
}

const SHOWN = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });

/** As the reader's browser writes it. */
export function clockInWords(clock: string): string {
  return SHOWN.format(new Date(`2023-01-01T${clock}`));
}

/** The time that somebody typed: "9", "930", "9:30", "9.30 pm", "14h". Undefined if it is none. */
export function parseClock(text: string): string | undefined {
  const parts = /^(\d{1,2})(?:[:.h ]?(\d{2}))?h?\s*(am|pm|a|p)?$/.exec(text.trim().toLowerCase());
  if (!parts) return undefined;
  const [, hours = '', minutes = '0', half] = parts;
  const isHalfDay = half !== undefined;
  const hour = Number(hours);
  if (isHalfDay && (hour < 1 || hour > 12)) return undefined;
  const inDay = isHalfDay ? (hour % 12) + (half.startsWith('p') ? 12 : 0) : hour;
  return inDay > 23 || Number(minutes) > 59 ? undefined : clockAt(inDay, Number(minutes));
}

export function clockAt(hours: number, minutes: number): string {
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
