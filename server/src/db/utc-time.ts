/** SQL for a timestamptz as `isoTime` reads it, whatever the connection's time zone is. */
export function utcTime(column: string): string {
  return `(${column} AT TIME ZONE 'UTC')::text`;
}

/**
 * `2026-11-15 09:30:00.12` becomes `2026-11-15T09:30:00.120Z`. In long lists, this is several times
 * faster than creating a Date for every cell.
 */
export function isoTime(utc: string): string {
  const fraction = utc.slice(20, 23).padEnd(3, '0');
  return `${utc.slice(0, 10)}T${utc.slice(11, 19)}.${fraction}Z`;
}
