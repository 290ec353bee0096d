/**
 * How much of each text is shown, if all together may have so much. Short ones are shown whole, and what they
 * leave is shared equally by the others.
 */
export function shareFairly(lengths: readonly number[], room: number): number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = lengths.map((length, at) => ({ length, at }));
  shortestFirst.sort((a, b) => a.length - b.length);
  let left = room;
  for (const [place, { length, at }] of shortestFirst.entries()) {
    const share = Math.min(length, Math.floor(left / (lengths.length - place)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
