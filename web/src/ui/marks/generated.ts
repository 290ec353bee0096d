import type { CSSProperties } from 'react';

/** A hue and a pattern made of a name, the same on every device and for everyone. */

/** As many as people can tell apart. */
const HUES = 12;
const SIDE = 5;

export function hueOf(seed: string): number {
  return (sumOf(seed) % HUES) * (360 / HUES);
}

/** For an element with the class `person-hue` or `agent-hue`. */
export function hueStyle(seed: string): CSSProperties {
  return { '--hue': hueOf(seed) } as CSSProperties;
}

/** A path of unit squares in a field of 5 by 5, the same on the left and on the right. */
export function patternOf(seed: string): string {
  let bits = sumOf(`${seed}.`);
  let path = '';
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < 3; x++) {
      bits = (Math.imul(bits, 1_103_515_245) + 12_345) >>> 0;
      // The middle column is always there in part, so that no pattern falls into two.
      const isSet = x === 2 && y % 2 === 0 ? true : bits >>> 31 === 1;
      if (isSet) path += square(x, y) + (x < 2 ? square(SIDE - 1 - x, y) : '');
    }
  }
  return path;
}

function square(x: number, y: number): string {
  return `M${x} ${y}h1v1h-1z`;
}

/** FNV-1a. */
function sumOf(text: string): number {
  let sum = 2_166_136_261;
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return sum >>> 0;
}
