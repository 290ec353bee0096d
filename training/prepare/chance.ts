/** Chance that is the same on every machine: the data can be made again. */
const SEED = 20_261_115;

let state = SEED;

/** From 0 up to 1. A linear congruential generator. */
export function chance(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

export function pick<T>(items: readonly T[]): T {
  return items[Math.floor(chance() * items.length)] as T;
}

export function shuffle<T>(items: readonly T[]): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(chance() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}
