import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** A file of an archive, as pieces of its text. */
export interface ArchiveFile {
  name: string;
  text: AsyncIterable<string>;
}

/**
 * A .tar.gz, made while it is read. A file's size stands before it in the archive, so each file is first
 * written to `folder`: memory holds one piece of it, and nobody waits for a slow reader.
 */
export async function* archive(
  files: readonly ArchiveFile[],
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
  files: readonly ArchiveFile[],
  folder: string,
  now: Date,
): AsyncGenerator<Buffer> {
  for (const { name, text } of files) {
    const spool = await openSpool(folder);
    try {
      const size = await fill(spool, text);
      yield tarHeader(name, size, now);
      yield* contentOf(spool, size);
      yield tarPadding(size);
    } finally {
      await spool.close();
    }
  }
  yield TAR_END;
}

/** It has no name, so nothing is left of it when the process ends. */
async function openSpool(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const spool = await open(path, 'wx+', 0o600);
  await rm(path);
  return spool;
}

async function fill(spool: FileHandle, text: AsyncIterable<string>): Promise<number> {
  let size = 0;
  for await (const piece of text) size += (await spool.write(Buffer.from(piece))).bytesWritten;
  return size;
}

const CHUNK_BYTES = 64 * 1024;

async function* contentOf(spool: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await spool.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new Error('an export file is shorter than it was written');
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}
