import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyFamily = 'v1' | 'v2';

const FAMILY_PREFIX: Record<KeyFamily, string> = { v1: 'sk_live_', v2: 'atr_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;

export interface NewSecret {
  secret: string;
  hash: Buffer;
  /** Shown in lists, so that people can tell keys apart. */
  prefix: string;
}

export function newSecret(family: KeyFamily): NewSecret {
  const start = FAMILY_PREFIX[family];
  const body = start + randomBase62(RANDOM_LENGTH);
  const secret = body + checksum(body);
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, start.length + SHOWN_LENGTH) };
}

/** The secret is random enough that a fast hash is safe, and every request needs this hash. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The checksum rejects typos and made-up keys without a query. */
export function isWellFormed(family: KeyFamily, secret: string): boolean {
  const start = FAMILY_PREFIX[family];
  if (secret.length !== start.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return false;
  if (!secret.startsWith(start) || !/^[0-9A-Za-z]+$/.test(secret.slice(start.length))) return false;
  const body = secret.slice(0, -CHECKSUM_LENGTH);
  return secret === body + checksum(body);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256: dropping the rest keeps each character as likely.
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
