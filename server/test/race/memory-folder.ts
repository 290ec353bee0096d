import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 ** 30;

/**
 * A folder in memory, if there is room. A killed process leaves there what it leaves on a disk, and waiting for a
 * real disk takes most of the time of an engine that starts.
 */
export function makeMemoryFolder(name: string): Promise<string> {
  return mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), `atrium-${name}-`));
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > NEEDED_BYTES;
}
