import type { S3Body, S3Client } from './s3-client.ts';
import { StorageUnavailable } from './storage.ts';

/** In a row, without a byte in between. */
const MAX_BREAKS = 4;

/**
 * An object, or bytes of it. If the connection breaks, it goes on where it was, and only in the same object: a slow
 * reader may take longer than the service keeps a connection.
 */
export async function readObject(
  s3: S3Client,
  key: string,
  range?: { start: number; end: number },
): Promise<AsyncIterable<Uint8Array>> {
  const start = range?.start ?? 0;
  const first = await s3.open({ method: 'GET', key, headers: rangeHeader(start, range?.end) });
  return goOn(s3, key, first, start, range?.end);
}

async function* goOn(
  s3: S3Client,
  key: string,
  first: S3Body,
  start: number,
  end: number | undefined,
): AsyncGenerator<Uint8Array> {
  const { etag } = first.headers;
  const length = Number(first.headers['content-length']);
  const stop = start + length;
  let at = start;
  for (let reply = first, breaks = 0; ;) {
    try {
      for await (const chunk of reply.body) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
    } catch (error) {
      if (++breaks > MAX_BREAKS || etag === undefined || !Number.isFinite(length)) {
        throw new StorageUnavailable('the S3 service broke off', { cause: error });
      }
    }
    if (!Number.isFinite(length) || at >= stop) break;
    const headers = { ...rangeHeader(at, end ?? stop - 1), ...(etag && { 'if-match': etag }) };
    reply = await s3.open({ method: 'GET', key, headers });
  }
}

function rangeHeader(start: number, end: number | undefined): Record<string, string> {
  if (start === 0 && end === undefined) return {};
  return { range: `bytes=${start}-${end ?? ''}` };
}
