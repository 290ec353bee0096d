import { createHmac, hash, hkdfSync } from 'node:crypto';
import type { SecretsKeys } from '../../config/secrets-keys.ts';
import type { Tokens } from '../../core/context.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 ** 43 is just above 2 ** 256, so every hash fits. */
const TOKEN_LENGTH = 43;
const INFO = 'atrium derived tokens, HMAC-SHA256 key, version 1';

export function createTokens([current, ...older]: SecretsKeys): Tokens {
  const deriveAll: Tokens['deriveAll'] = (...words) => [
    deriveToken(current, ...words),
    ...older.map((key) => deriveToken(key, ...words)),
  ];
  return {
    deriveAll,
    derive: (...words) => deriveToken(current, ...words),
    rederive(hash, ...words) {
      const token = deriveAll(...words).find((one) => hashToken(one).equals(hash));
      if (token !== undefined) return token;
      throw new Error(
        'SECRETS_KEY: none of its keys produces the stored token. Give every process the same keys, and keep an old key until all email is sent',
      );
    },
  };
}

/**
 * A retried job can derive the same token again, so only its hash is stored. Letters and digits only,
 * because mail programs cut other characters off the end of a link.
 */
export function deriveToken(secretsKey: Buffer, purpose: string, ...parts: string[]): string {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', INFO, 32));
  const mac = createHmac('sha256', key);
  for (const part of [purpose, ...parts]) {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    mac.update(length).update(bytes);
  }
  return toBase62(mac.digest());
}

/** Only this hash is stored and looked up. Tokens are random enough for a fast hash. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function toBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let at = 0; at < TOKEN_LENGTH; at++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
