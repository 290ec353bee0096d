import { createHash, timingSafeEqual, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid, invalidValue } from '../../../core/errors.ts';

export const TUS_VERSION = '1.0.0';
const ALGORITHMS = ['sha1', 'sha256', 'md5'];
const PATCH_TYPE = 'application/offset+octet-stream';

/** What a client may ask for before it sends anything. */
export function tusOffer(maxBytes: number): Record<string, string> {
  return {
    'tus-version': TUS_VERSION,
    'tus-extension': 'checksum,expiration,termination',
    'tus-max-size': String(maxBytes),
    'tus-checksum-algorithm': ALGORITHMS.join(','),
  };
}

export function requireTus(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  throw invalidValue('header.tus-resumable', `must be ${TUS_VERSION}`);
}

/** A PATCH of no bytes has no type: the server drops it. */
export function requirePatchType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? (readLength(headers) === 0 ? PATCH_TYPE : '');
  if (type.trim().toLowerCase() === PATCH_TYPE) return;
  throw invalidValue('header.content-type', `must be ${PATCH_TYPE}`);
}

export function readOffset(headers: IncomingHttpHeaders): number {
  const value = headers['upload-offset'];
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  throw invalidValue('header.upload-offset', 'must be a number of bytes');
}

export function readLength({ 'content-length': length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length);
}

export interface ExpectedChecksum {
  /** Passes the bytes on. */
  through(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  verify(): void;
}

/** What the client says that the hash of this body is, if it does. */
export function readChecksum(headers: IncomingHttpHeaders): ExpectedChecksum | undefined {
  const value = headers['upload-checksum'];
  if (value === undefined) return undefined;
  const [, algorithm = '', text = ''] =
    /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(String(value).trim()) ?? [];
  if (!ALGORITHMS.includes(algorithm)) {
    const message = `must be one of ${ALGORITHMS.join(', ')}, a space, and the hash in Base64`;
    throw invalidValue('header.upload-checksum', message);
  }
  const expected = Buffer.from(text, 'base64');
  const hash = createHash(algorithm);
  return {
    through: (source) => hashed(source, hash),
    verify() {
      const got = hash.digest();
      if (got.length === expected.length && timingSafeEqual(got, expected)) return;
      const message = 'the bytes that arrived have another checksum; send them again';
      throw invalid([{ location: 'header.upload-checksum', code: 'checksum_mismatch', message }]);
    },
  };
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
