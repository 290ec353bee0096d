import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError, damaged } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';
import { notAnArchive } from './format.ts';
import { seal, SEALED_MAGIC, unseal } from './sealing.ts';
import { errorCode } from '../core/error-code.ts';
import { readLines } from '../core/read-lines.ts';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Far above any row. It keeps a file that is no archive from filling the memory. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

/** Compresses `text` into `sink`, and encrypts it if there is a key. */
export async function writeArchive(
  text: AsyncIterable<string | Buffer>,
  sink: Writable,
  key: Buffer | undefined,
): Promise<void> {
  const compressed = createGzip({ level: 3 });
  const sealed = (source: AsyncIterable<Buffer>) => (key ? seal(key, source) : source);
  await pipeline(Readable.from(text), compressed, sealed, sink);
}

/** The lines of an archive, as they arrive. Throws a `BackupError` where it is damaged or cut. */
export async function* readArchive(
  source: Readable,
  key: Buffer | undefined,
): AsyncGenerator<string> {
  const text = createGunzip({ rejectGarbageAfterEnd: true });
  // A failure reaches the reader of `text`, which is destroyed with it.
  pipeline(Readable.from(compressedText(source, key)), text).catch(() => {});
  try {
    for await (const { line, isCut } of readLines(text, MAX_LINE_BYTES)) {
      if (line.length > MAX_LINE_BYTES && isCut) throw notAnArchive();
      if (isCut) throw damaged('it ends in the middle of a line');
      yield line.toString();
    }
  } catch (error) {
    throw explain(error);
  } finally {
    source.destroy();
  }
}

async function* compressedText(
  source: AsyncIterable<Buffer>,
  key: Buffer | undefined,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  const start = await reader.peek(SEALED_MAGIC.length);
  if (start.equals(SEALED_MAGIC)) {
    if (!key) throw new BackupError('the archive is encrypted; pass its key with --key-file');
    yield* unseal(key, reader);
    return;
  }
  if (!start.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) throw notAnArchive();
  // Otherwise anyone who can replace the file could replace it with one that needs no key.
  if (key) throw new BackupError('the archive is not encrypted; restore it without --key-file');
  yield* reader.rest();
}

function explain(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  return code.startsWith('Z_') || code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END'
    ? damaged('it cannot be decompressed')
    : error;
}
