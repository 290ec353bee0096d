import { createInterface } from 'node:readline';
import { FolderLockedError, lockFolder } from '../../src/db/engines/folder-lock.ts';

/**
 * Tries to take the folder's lock when told `lock`, prints the result, and releases it when told `unlock`. With
 * `now` it tries at once and keeps running.
 */
const folder = process.argv[2] ?? '';
let unlock = async () => {};

createInterface({ input: process.stdin }).on('line', (line) => {
  void (line === 'lock' ? lock() : unlock().then(() => say('unlocked')));
});
say('ready');
if (process.argv[3] === 'now') {
  await lock();
  setInterval(() => {}, 60_000);
}

async function lock(): Promise<void> {
  try {
    unlock = await lockFolder(folder);
    say('locked');
  } catch (error) {
    unlock = async () => {};
    say(error instanceof FolderLockedError ? 'refused' : `failed: ${String(error)}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
