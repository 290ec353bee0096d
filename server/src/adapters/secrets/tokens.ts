import { createHmac, hash, hkdfSync } from 'node:crypto';
import type { SecretsKeys } from '../../config/config.ts';
import type { Tokens } from '../../context.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 ** 43 is just above 2 ** 256: each hash has its own spelling. */
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
        'SECRETS_KEY: none of its keys makes the token that was stored; give every process the same keys, and keep an old one until all mail is sent',
      );
    },
  };
}

/**
 * A token that a retried job can make again, so that nothing but its hash has to be stored. Unguessable
 * without the key; letters and digits only, since mail programs cut other characters off a link's end.
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

/** What is stored of a token, and looked up by. A token is random enough for a plain hash. */
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
