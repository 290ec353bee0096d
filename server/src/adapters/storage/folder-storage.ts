import { randomUUID } from 'node:crypto';
import { copyFile, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { errorCode } from '../../core/error-code.ts';
import { makeFolder, syncPath } from '../../disk/durable-file.ts';
import { appendTo } from './append-to-file.ts';
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
        const { received, cause } = await appendTo(handle, 0, source, async () => {});
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

  async function sizeOf(key: string): Promise<number | undefined> {
    try {
      return (await stat(pathOf(key))).size;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function read(key: string, range?: { start: number; end: number }) {
    try {
      return piecesOf(await open(pathOf(key)), range);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw new StorageMissing(key);
      throw error;
    }
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
        const handle = await openPart(partOf(key), key, received, isTakenOver);
        try {
          const saved = (at: number) => onSaved({ received: at, parts: [] });
          return {
            received: (await appendTo(handle, received, source, saved)).received,
            parts: [],
          };
        } finally {
          await handle.close();
        }
      }),
    finish: ({ key, received }) =>
      explained(async () => {
        const part = partOf(key);
        try {
          const handle = await openPart(part, key, received, false);
          try {
            await handle.sync();
          } finally {
            await handle.close();
          }
        } catch (error) {
          // It was finished before.
          if (error instanceof StorageMissing && (await sizeOf(key)) === received) {
            return syncPath(dirname(pathOf(key)));
          }
          throw error;
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

/** The part as the database knows it. A new file, if it may still be written to by somebody else. */
async function openPart(
  part: string,
  key: string,
  received: number,
  isTakenOver: boolean,
): Promise<FileHandle> {
  if (received === 0) {
    await makeFolder(dirname(part));
    await rm(part, { force: true });
    const handle = await open(part, 'wx', 0o600);
    await syncPath(dirname(part));
    return handle;
  }
  try {
    if (isTakenOver) await replaceByCopy(part);
    const handle = await open(part, 'r+');
    const { size } = await handle.stat();
    if (size > received) await handle.truncate(received);
    if (size >= received) return handle;
    await handle.close();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  throw new StorageMissing(key);
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

async function* piecesOf(
  handle: FileHandle,
  { start, end }: { start: number; end: number } = { start: 0, end: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Uint8Array> {
  try {
    for (let at = start; at <= end;) {
      const wanted = Math.min(READ_BYTES, end - at + 1);
      const { bytesRead, buffer } = await explained(() =>
        handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at),
      );
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
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
