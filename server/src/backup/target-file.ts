import { rmSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { syncPath } from '../disk/durable-file.ts';

export interface Target {
  stream: Writable;
  /** Gives the file its name, once everything is on disk. */
  complete(): Promise<void>;
}

/**
 * Writes aside and renames at the end, so an older backup of that name is replaced by a complete one or
 * not at all. Standard output, pipes and devices are written to directly.
 */
export async function openTarget(to: string): Promise<Target> {
  if (to === '-') return directly(process.stdout);
  const found = await stat(to).catch(() => undefined);
  if (found && !found.isFile()) return directly((await open(to, 'w')).createWriteStream());
  const temporary = `${to}.${process.pid}.partial`;
  const handle = await open(temporary, 'wx', 0o600);
  const discard = () => rmSync(temporary, { force: true });
  process.once('exit', discard);
  return {
    stream: handle.createWriteStream({ flush: true }),
    async complete() {
      await rename(temporary, to);
      await syncPath(dirname(to));
      process.removeListener('exit', discard);
    },
  };
}

function directly(stream: Writable): Target {
  return { stream, complete: async () => {} };
}
