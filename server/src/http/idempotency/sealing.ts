import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const INFO = 'atrium idempotent response, AES-256-GCM key and nonce, version 1';

/**
 * A stored response may contain a key that is shown only once. It is sealed with the caller's plaintext
 * secret, which is not stored, so only the same caller can open it again.
 */
export function seal(secret: string, scope: Buffer, plaintext: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const { key, nonce } = derive(secret, salt);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(scope);
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, cipher.getAuthTag(), body]);
}

export function unseal(secret: string, scope: Buffer, sealed: Buffer): string {
  const salt = sealed.subarray(0, SALT_BYTES);
  const tag = sealed.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES);
  const { key, nonce } = derive(secret, salt);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(scope).setAuthTag(tag);
  const body = decipher.update(sealed.subarray(SALT_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]).toString('utf8');
}

/** The salt is new for each response, so key and nonce are used together only once. */
function derive(secret: string, salt: Buffer): { key: KeyObject; nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, INFO, 44));
  return { key: createSecretKey(bytes.subarray(0, 32)), nonce: bytes.subarray(32) };
}
