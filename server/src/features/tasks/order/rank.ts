/**
 * The place of a task within its column, as text that sorts byte by byte. There is always room between
 * two ranks, so a move changes one row. A rank is a whole number of fixed width, then a fraction.
 */
const WHOLE_DIGITS = 16;
const MIDDLE = 5_000_000_000_000_000;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A rank after one and before the other; null stands for the end of the column. */
export function rankBetween(before: string | null, after: string | null): string {
  if (before === null) return rankOf(after === null ? MIDDLE : wholeOf(after) - 1);
  if (after === null) return rankOf(wholeOf(before) + 1);
  if (before >= after) throw new Error(`no rank lies between ${before} and ${after}`);
  const [low, high] = [wholeOf(before), wholeOf(after)];
  if (high - low > 1) return rankOf(low + Math.floor((high - low) / 2));
  const end = high === low ? fractionOf(after) : null;
  return rankOf(low) + fractionBetween(fractionOf(before), end);
}

/** This many of them, in order. */
export function ranksBetween(before: string | null, after: string | null, count: number): string[] {
  if (count === 0) return [];
  const middle = rankBetween(before, after);
  const lower = Math.floor((count - 1) / 2);
  return [
    ...ranksBetween(before, middle, lower),
    middle,
    ...ranksBetween(middle, after, count - 1 - lower),
  ];
}

function rankOf(whole: number): string {
  return String(whole).padStart(WHOLE_DIGITS, '0');
}

function wholeOf(rank: string): number {
  return Number(rank.slice(0, WHOLE_DIGITS));
}

function fractionOf(rank: string): string {
  return rank.slice(WHOLE_DIGITS);
}

/** The shortest one about half way. `high` null stands for 1. It never ends in 0, so there is room below it. */
function fractionBetween(low: string, high: string | null): string {
  const common = high === null ? 0 : commonDigits(low, high);
  const shared = low.slice(0, common).padEnd(common, '0');
  const from = digitAt(low, common);
  const to = high === null ? DIGITS.length : digitAt(high, common);
  if (to - from > 1) return shared + DIGITS.charAt(Math.floor((from + to) / 2));
  // The digits are neighbours: half way between what follows in `low` and the next one.
  return shared + DIGITS.charAt(from) + fractionBetween(low.slice(common + 1), null);
}

/** How many digits the two begin with together. They differ, whatever zeros follow. */
function commonDigits(low: string, high: string): number {
  let count = 0;
  while (digitAt(low, count) === digitAt(high, count)) count++;
  return count;
}

function digitAt(fraction: string, at: number): number {
  return at < fraction.length ? DIGITS.indexOf(fraction.charAt(at)) : 0;
}
