import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const INFO = 'atrium secrets at rest, AES-256-GCM key, version 1';

/** Seals what we must be able to send again, such as the token of another server. */
export interface Vault {
  /** `place` says where the secret belongs: sealed for one row it does not open in another. */
  seal(place: string, secret: string): Buffer;
  unseal(place: string, sealed: Buffer): string;
}

export function createVault(secretsKey: Buffer): Vault {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', INFO, 32));
  return {
    seal(place, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal(place, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      // With its length said aloud, or a shorter tag, which is easier to guess, would do.
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
