import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { BackupError, damaged } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';

/** The first line of an encrypted archive. The number is the version of the encryption. */
export const SEALED_MAGIC = Buffer.from('atrium-backup-sealed 1\n');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const FRAME_BYTES = 65_536;
const INFO = 'atrium backup, AES-256-GCM key, version 1';

/**
 * Encrypts a stream in frames of 64 KiB. Each file has its own key, so a frame's number is a safe nonce.
 * The nonce also marks the last frame: a file that was cut, extended or reordered cannot be opened.
 */
export async function* seal(key: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = deriveKey(key, salt);
  yield Buffer.concat([SEALED_MAGIC, salt]);
  const reader = new ByteReader(source);
  for (let frame = 0, isLast = false; !isLast; frame++) {
    const plain = await reader.read(FRAME_BYTES);
    isLast = await reader.isAtEnd();
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(frame, isLast));
    yield Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts what `seal` wrote. Nothing is passed on before it is authenticated. */
export async function* unseal(key: Buffer, reader: ByteReader): AsyncGenerator<Buffer> {
  const header = await reader.read(SEALED_MAGIC.length + SALT_BYTES);
  const fileKey = deriveKey(key, header.subarray(SEALED_MAGIC.length));
  for (let frame = 0, isLast = false; !isLast; frame++) {
    const sealed = await reader.read(FRAME_BYTES + TAG_BYTES);
    isLast = await reader.isAtEnd();
    const plain = openFrame(fileKey, nonceOf(frame, isLast), sealed);
    if (!plain && frame === 0) {
      throw new BackupError('--key-file: this key does not open the archive, or it was changed');
    }
    if (!plain) throw damaged(`part ${frame + 1} was changed, or the file was cut there`);
    yield plain;
  }
}

function deriveKey(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, INFO, 32));
}

function nonceOf(frame: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0, 0);
  nonce.writeBigUInt64BE(BigInt(frame), 4);
  return nonce;
}

function openFrame(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}
