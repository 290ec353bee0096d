/** What time it is in a zone, and how far that is from here. Undefined if this browser doesn't know the zone. */
export function localTime(
  timeZone: string,
  now = new Date(),
  here = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): { clock: string; difference: string } | undefined {
  try {
    const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(now);
    return { clock, difference: nameDifference(offsetOf(timeZone, now) - offsetOf(here, now)) };
  } catch {
    return undefined;
  }
}

function nameDifference(minutes: number): string {
  if (minutes === 0) return '';
  const hours = Math.round(Math.abs(minutes) / 6) / 10;
  return `${hours} h ${minutes > 0 ? 'ahead of' : 'behind'} you`;
}

/** In minutes east of Greenwich. */
function offsetOf(timeZone: string, now: Date): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = parts.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return hours ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0;
}
