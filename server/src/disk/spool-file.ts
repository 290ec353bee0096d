import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../core/error-code.ts';

const CHUNK_BYTES = 64 * 1024;
const COPY = 'file-';

/** A file without a name, so nothing is left of it when the process ends. */
export async function openSpool(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const spool = await open(path, 'wx+', 0o600);
  await rm(path);
  return spool;
}

/** Returns how many bytes there were. */
export async function fillSpool(
  spool: FileHandle,
  pieces: AsyncIterable<Uint8Array | string>,
): Promise<number> {
  let size = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    await spool.appendFile(bytes);
    size += bytes.length;
  }
  return size;
}

export async function* readSpool(spool: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await spool.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new Error('a temporary file is shorter than it was written');
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** The path of a new temporary file that another process reads or writes, so it needs a name. */
export async function newCopyPath(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, COPY + randomUUID());
}

/** Deletes those of processes that died, and returns how many. */
export async function deleteCopiesBefore(folder: string, time: Date): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  let deleted = 0;
  for (const name of names) {
    const path = join(folder, name);
    const found = name.startsWith(COPY) ? await stat(path).catch(() => undefined) : undefined;
    if (!found || found.mtime >= time) continue;
    await rm(path, { force: true });
    deleted++;
  }
  return deleted;
}
