const SECONDS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** "40 ms", "1.2 s". */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${SECONDS.format(ms / 1_000)} s`;
}
