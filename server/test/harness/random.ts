/** Mulberry32: the same numbers between 0 and 1 for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Text that hardly gets smaller when it is compressed: rare characters, in no order. */
export function noiseFrom(random: () => number, length: number): string {
  const character = () => String.fromCodePoint(0x20000 + Math.floor(random() * 0xa000));
  return Array.from({ length }, character).join('');
}
