import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** A file without a name, so nothing is left of it when the process ends. */
export async function openSpool(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const spool = await open(path, 'wx+', 0o600);
  await rm(path);
  return spool;
}
