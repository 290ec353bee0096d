import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretsKeys } from '../../config/secrets-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const INFO = 'atrium secrets at rest, AES-256-GCM key, version 1';

/** Encrypts secrets that we have to send again, such as the token of another server. */
export interface Vault {
  /** `place` ties the secret to one row: it can't be decrypted in another. */
  seal(place: string, secret: string): Buffer;
  unseal(place: string, sealed: Buffer): string;
  /** Encrypts again with the current key. Undefined if it already is. */
  reseal(place: string, sealed: Buffer): Buffer | undefined;
}

/** None of our keys decrypts it, or it was changed. The two can't be told apart. */
export class UnreadableSecret extends Error {
  constructor() {
    super('encrypted with a key that is not in SECRETS_KEY, or changed since');
    this.name = 'UnreadableSecret';
  }
}

export function createVault([current, ...older]: SecretsKeys): Vault {
  const sealingKey = vaultKey(current);
  const olderKeys = older.map(vaultKey);
  return {
    seal: (place, secret) => sealUnder(sealingKey, place, secret),
    unseal: (place, sealed) => openWith([sealingKey, ...olderKeys], place, sealed),
    reseal(place, sealed) {
      if (openUnder(sealingKey, place, sealed) !== undefined) return undefined;
      return sealUnder(sealingKey, place, openWith(olderKeys, place, sealed));
    },
  };
}

function vaultKey(secretsKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', INFO, 32));
}

function sealUnder(key: Buffer, place: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** The data does not say which key was used, but the tag only matches with that key. */
function openWith(keys: readonly Buffer[], place: string, sealed: Buffer): string {
  for (const key of keys) {
    const secret = openUnder(key, place, sealed);
    if (secret !== undefined) return secret;
  }
  throw new UnreadableSecret();
}

function openUnder(key: Buffer, place: string, sealed: Buffer): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  // Without an explicit length, a shorter tag, which is easier to guess, would be accepted.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(tag);
  const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
