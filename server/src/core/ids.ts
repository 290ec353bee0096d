import { randomFillSync } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LETTERS = 26;
const LENGTH = 24;

/**
 * `c` + 24 characters in CUID2's form: a letter, then letters and digits. Ids are opaque: nothing
 * may be ordered by them. They come directly from the system's random generator (docs/adr/0008).
 */
export function newId(): string {
  let id = `c${ALPHABET.charAt(nextBelow(LETTERS))}`;
  for (let made = 1; made < LENGTH; made++) id += ALPHABET.charAt(nextBelow(ALPHABET.length));
  return id;
}

const ID = /^c[a-z0-9]{24}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}

const pool = Buffer.alloc(4096);
let used = pool.length;

/** A number below `limit`, all equally likely: bytes past its largest multiple are discarded. */
function nextBelow(limit: number): number {
  for (;;) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used++] as number;
    if (byte < 256 - (256 % limit)) return byte % limit;
  }
}
