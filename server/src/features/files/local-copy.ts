import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dependencies } from '../../core/context.ts';
import { newCopyPath } from '../../disk/spool-file.ts';

/** Runs `work` on a file of this machine with the stored bytes: the storage's own, or a copy for the time being. */
export async function withLocalCopy<T>(
  { storage, spoolFolder }: Pick<Dependencies, 'storage' | 'spoolFolder'>,
  { storageKey }: { storageKey: string | null; size: number },
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (storageKey === null) throw new Error('the file has no bytes');
  const own = storage.pathOf?.(storageKey);
  if (own !== undefined) return work(own);
  const copy = await newCopyPath(spoolFolder);
  try {
    const source = Readable.from(await storage.read(storageKey));
    await pipeline(source, createWriteStream(copy, { mode: 0o600 }));
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
  }
}
