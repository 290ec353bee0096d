import { randomUUID } from 'node:crypto';
import { copyFile, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { errorCode } from '../../core/error-code.ts';
import { makeFolder, syncPath } from '../../disk/durable-file.ts';
import { appendTo, type OpenFile } from './append-to-file.ts';
import { StorageMissing, StorageUnavailable, type FileStorage } from './storage.ts';

const UPLOADS = 'uploads';
/** Of an upload, and of what is being written. Neither is ever read as an object. */
const PART = '.part';
const READ_BYTES = 256 * 1024;
/** No dots at the beginning of a name, so no way out of the folder. */
const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/**
 * Bytes in a folder, which several processes may share. It keeps nothing in memory: how far an upload is, the
 * caller says, and whatever a file has beyond that is dropped.
 */
export function createFolderStorage(folder: string): FileStorage {
  const pathOf = (key: string): string => {
    if (!KEY.test(key) || key.startsWith(`${UPLOADS}/`)) throw new Error(`"${key}" is no key`);
    return join(folder, key);
  };
  const partOf = (key: string): string => {
    pathOf(key);
    return join(folder, UPLOADS, key) + PART;
  };

  async function place(part: string, key: string): Promise<void> {
    const file = pathOf(key);
    await makeFolder(dirname(file));
    await rename(part, file);
    await syncPath(dirname(file));
  }

  async function write(key: string, source: AsyncIterable<Uint8Array>, size: number) {
    const part = `${partOf(key)}-${randomUUID()}`;
    await makeFolder(dirname(part));
    try {
      const handle = await open(part, 'wx', 0o600);
      try {
        const file = { handle, sync: () => handle.datasync() };
        const { received, cause } = await appendTo(file, 0, source, async () => {});
        if (cause !== undefined) throw cause;
        if (received !== size) throw new Error(`got ${received} bytes for ${key}, not ${size}`);
      } finally {
        await handle.close();
      }
      await place(part, key);
    } finally {
      await rm(part, { force: true });
    }
  }

  const sizeOf = (key: string) => sizeOfPath(pathOf(key));

  async function read(key: string, range?: { start: number; end: number }) {
    return piecesOf(await unlessMissing(key, () => open(pathOf(key))), range);
  }

  return {
    kind: 'folder',
    pathOf,
    begin: (key) =>
      explained(async () => {
        await makeFolder(dirname(partOf(key)));
        return null;
      }),
    append: (upload, source, onSaved) =>
      explained(async () => {
        const { key, received, isTakenOver = false } = upload;
        const part = await openPart(partOf(key), key, received, isTakenOver);
        try {
          const saved = (at: number) => onSaved({ received: at, parts: [] });
          return {
            received: (await appendTo(part, received, source, saved)).received,
            parts: [],
          };
        } finally {
          await part.close();
        }
      }),
    finish: ({ key, received }) =>
      explained(async () => {
        const part = partOf(key);
        const size = await sizeOfPath(part);
        // Whatever counts was forced to disk before.
        if (size !== received) {
          // It was finished before.
          if (size === undefined && (await sizeOf(key)) === received) {
            return syncPath(dirname(pathOf(key)));
          }
          await cutPart(part, key, received);
        }
        await place(part, key);
      }),
    abandon: ({ key }) => explained(() => rm(partOf(key), { force: true })),
    write: (key, source, size) => explained(() => write(key, source, size)),
    read: (key, range) => explained(() => read(key, range)),
    sizeOf: (key) => explained(() => sizeOf(key)),
    delete: (key) => explained(() => rm(pathOf(key), { force: true })),
    async *list() {
      for await (const path of filesIn(folder, [UPLOADS])) {
        const found = await stat(path).catch(() => undefined);
        const key = path.slice(folder.length + 1);
        if (found && KEY.test(key)) yield { key, size: found.size, writtenAt: found.mtime };
      }
    },
    async deleteUploadsBefore(time) {
      let deleted = 0;
      for await (const path of filesIn(join(folder, UPLOADS))) {
        const found = await stat(path).catch(() => undefined);
        if (!found || found.mtime >= time) continue;
        await explained(() => rm(path, { force: true }));
        deleted++;
      }
      return deleted;
    },
    check: () =>
      explained(async () => {
        const key = `check-${randomUUID()}`;
        const bytes = Buffer.from(key);
        try {
          await write(key, Readable.from([bytes]), bytes.length);
          const parts: Uint8Array[] = [];
          for await (const part of await read(key)) parts.push(part);
          if (!Buffer.concat(parts).equals(bytes)) throw new Error(`${folder} lost a file`);
        } finally {
          await rm(pathOf(key), { force: true });
        }
      }),
    close: async () => {},
  };
}

interface OpenPart extends OpenFile {
  close(): Promise<void>;
}

/** The part as the database knows it. A new file, if it may still be written to by somebody else. */
async function openPart(
  part: string,
  key: string,
  received: number,
  isTakenOver: boolean,
): Promise<OpenPart> {
  if (received > 0) {
    if (isTakenOver) await unlessMissing(key, () => replaceByCopy(part));
    const handle = await openKnown(part, key, received);
    return { handle, sync: () => handle.datasync(), close: () => handle.close() };
  }
  await makeFolder(dirname(part));
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  // Its name has to last too before anything counts.
  const named = syncPath(dirname(part));
  named.catch(() => {});
  return {
    handle,
    async sync() {
      await named;
      await handle.datasync();
    },
    async close() {
      await named.catch(() => {});
      await handle.close();
    },
  };
}

/** Without what it has beyond that. */
async function openKnown(part: string, key: string, received: number): Promise<FileHandle> {
  const handle = await unlessMissing(key, () => open(part, 'r+'));
  try {
    const { size } = await handle.stat();
    if (size < received) throw new StorageMissing(key);
    if (size > received) await handle.truncate(received);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function cutPart(part: string, key: string, received: number): Promise<void> {
  const handle = await openKnown(part, key, received);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOfPath(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function unlessMissing<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new StorageMissing(key);
    throw error;
  }
}

async function replaceByCopy(part: string): Promise<void> {
  const copy = `${part}-${randomUUID()}`;
  try {
    await copyFile(part, copy);
    await rename(copy, part);
  } finally {
    await rm(copy, { force: true });
  }
  await syncPath(dirname(part));
}

/** While one piece is sent, the next is read. */
async function* piecesOf(
  handle: FileHandle,
  { start, end }: { start: number; end: number } = { start: 0, end: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Uint8Array> {
  const readAt = async (at: number): Promise<Uint8Array> => {
    const wanted = Math.min(READ_BYTES, end - at + 1);
    if (wanted <= 0) return new Uint8Array();
    const { bytesRead, buffer } = await explained(() =>
      handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at),
    );
    return buffer.subarray(0, bytesRead);
  };
  let next = readAt(start);
  try {
    for (let at = start; ;) {
      const piece = await next;
      if (piece.length === 0) return;
      at += piece.length;
      next = readAt(at);
      // Whoever asks for it sees the rejection.
      next.catch(() => {});
      yield piece;
    }
  } finally {
    await next.catch(() => {});
    await handle.close();
  }
}

async function* filesIn(folder: string, except: readonly string[] = []): AsyncGenerator<string> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !except.includes(entry.name)) yield* filesIn(path);
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What the disk refuses may work later, or once somebody has made room. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const isFull = FULL.has(errorCode(error) ?? '');
    const message = isFull ? 'the disk of the files is full' : 'the files cannot be reached';
    throw new StorageUnavailable(message, { cause: error, isFull });
  }
}
