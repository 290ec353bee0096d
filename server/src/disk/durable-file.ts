import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../core/error-code.ts';

/** Replaces `file`. After a power cut it has the old content or the new, never a part of it. */
export async function writeDurably(file: string, content: string): Promise<void> {
  await placeDurably(dirname(file), content, (temporary) => rename(temporary, file));
}

/**
 * Writes a file that only its owner can read aside, forces it to disk, and lets `place` rename or link it.
 * When this resolves, the file survives a power cut, and so does everything else that `place` did in `folder`.
 */
export async function placeDurably<T>(
  folder: string,
  content: string | Uint8Array,
  place: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  let placed: T;
  try {
    await writeSynced(temporary, content);
    placed = await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncPath(folder);
  return placed;
}

/** Gives a temporary its name. False if there is a file of that name, which stays as it is. */
export async function linkNew(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Creates a folder that only its owner can read, with those above it, if they are missing. */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true, mode: 0o700 }).catch(
    async (error: unknown) => {
      // Node says this on a read-only disk too. Without `recursive`, it says which it is.
      if (errorCode(error) === 'ENOENT') await mkdir(path, { mode: 0o700 });
      throw error;
    },
  );
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncPath(dirname(made));
  }
}

/** Forces a file's content, or the names in a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeSynced(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
