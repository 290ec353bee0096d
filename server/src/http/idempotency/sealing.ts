import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const INFO = 'atrium idempotent response, AES-256-GCM key and nonce, version 1';
/** Another one, so that a process that knows no compressed responses can't open them. */
const INFO_COMPRESSED =
  'atrium idempotent response, compressed, AES-256-GCM key and nonce, version 1';

/** Below this size, compressing costs more than it saves. */
const COMPRESSED_FROM = 2_048;

const compress = promisify(deflateRaw) as (text: Buffer, options: object) => Promise<Buffer>;
const decompress = promisify(inflateRaw) as (bytes: Buffer) => Promise<Buffer>;

export interface Sealed {
  sealedResponse: Buffer;
  isCompressed: boolean;
}

/**
 * A stored response may contain a key that is shown only once. It is sealed with the caller's plaintext
 * secret, which is not stored, so only the same caller can open it again.
 */
export async function seal(secret: string, scope: Buffer, plaintext: string): Promise<Sealed> {
  const text = Buffer.from(plaintext, 'utf8');
  const isCompressed = text.length > COMPRESSED_FROM;
  const bytes = isCompressed ? await compress(text, { level: constants.Z_BEST_SPEED }) : text;
  const salt = randomBytes(SALT_BYTES);
  const { key, nonce } = derive(secret, salt, isCompressed);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(scope);
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return { sealedResponse: Buffer.concat([salt, cipher.getAuthTag(), body]), isCompressed };
}

export async function unseal(
  secret: string,
  scope: Buffer,
  { sealedResponse, isCompressed }: Sealed,
): Promise<string> {
  const salt = sealedResponse.subarray(0, SALT_BYTES);
  const tag = sealedResponse.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES);
  const { key, nonce } = derive(secret, salt, isCompressed);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(scope).setAuthTag(tag);
  const opened = decipher.update(sealedResponse.subarray(SALT_BYTES + TAG_BYTES));
  const bytes = Buffer.concat([opened, decipher.final()]);
  return (isCompressed ? await decompress(bytes) : bytes).toString('utf8');
}

/** The salt is new for each response, so key and nonce are used together only once. */
function derive(
  secret: string,
  salt: Buffer,
  isCompressed: boolean,
): { key: KeyObject; nonce: Buffer } {
  const info = isCompressed ? INFO_COMPRESSED : INFO;
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, info, 44));
  return { key: createSecretKey(bytes.subarray(0, 32)), nonce: bytes.subarray(32) };
}
