import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fillSpool, openSpool, readSpool } from '../../disk/spool-file.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** A file of an archive: pieces of its text, or bytes whose number is known. */
export type ArchiveFile =
  | { name: string; text: AsyncIterable<string> }
  | { name: string; size: number; bytes: AsyncIterable<Uint8Array> };

/**
 * A .tar.gz, made while it is read. A file's size stands before it in the archive, so text is first written to
 * `folder`: memory holds one piece of it, and no statement waits for a slow reader.
 */
export async function* archive(
  files: AsyncIterable<ArchiveFile>,
  folder: string,
  now: Date,
): AsyncGenerator<Uint8Array> {
  const compressed = createGzip();
  // The first bytes, and with them the headers, are sent at once: the first file may take a while.
  compressed.flush();
  // A failure reaches whoever reads `compressed`, which is destroyed with it.
  pipeline(Readable.from(tar(files, folder, now)), compressed).catch(() => {});
  yield* compressed;
}

async function* tar(
  files: AsyncIterable<ArchiveFile>,
  folder: string,
  now: Date,
): AsyncGenerator<Uint8Array> {
  for await (const file of files) {
    const { name } = file;
    if ('bytes' in file) {
      yield tarHeader(name, file.size, now);
      yield* exactly(file.size, file.bytes);
      yield tarPadding(file.size);
      continue;
    }
    const { text } = file;
    const spool = await openSpool(folder);
    try {
      const size = await fillSpool(spool, text);
      yield tarHeader(name, size, now);
      yield* readSpool(spool, size);
      yield tarPadding(size);
    } finally {
      await spool.close();
    }
  }
  yield TAR_END;
}

/** The header has said how many there are. */
async function* exactly(
  size: number,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error('a file is not as long as its record says');
}
