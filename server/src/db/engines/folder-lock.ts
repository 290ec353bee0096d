import { hash, randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { linkNew, placeDurably } from '../../disk/durable-file.ts';
import { errorCode } from '../../core/error-code.ts';

/**
 * The embedded engine does not lock its folder, and two processes would corrupt the data. Our lock file
 * names its holder; it is stale unless a live process has that pid, start time and boot id.
 */
interface Holder {
  pid: number;
  startTime: string;
  bootId: string;
  nonce: string;
}

export class FolderLockedError extends Error {
  constructor(folder: string, pid: number) {
    super(
      `the data folder ${folder} is in use by process ${pid}; stop that process, or set DATA_DIR to another folder`,
    );
    this.name = 'FolderLockedError';
  }
}

export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lockFile = join(folder, 'lock');
  const mine = JSON.stringify(await describeProcess(process.pid));
  await placeDurably(folder, mine, (temporary) => acquire(folder, lockFile, temporary));
  return async () => {
    if ((await readIfExists(lockFile)) === mine) await rm(lockFile, { force: true });
  };
}

/**
 * Takes `file`. Replacing a stale file needs a second lock, named after the stale content: of all processes
 * that found it, one gets that lock, and later ones see that the content has changed.
 */
async function acquire(folder: string, file: string, temporary: string): Promise<void> {
  while (!(await linkNew(temporary, file))) {
    const found = await readIfExists(file);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder && (await isAlive(holder))) throw new FolderLockedError(folder, holder.pid);
    const takeover = join(folder, `lock.${hash('sha256', found).slice(0, 32)}`);
    await acquire(folder, takeover, temporary);
    if ((await readIfExists(file)) === found) {
      await rename(takeover, file);
      return;
    }
    await rm(takeover, { force: true });
  }
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    return typeof value.pid === 'number' ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    const now = await describeProcess(holder.pid);
    return now.startTime === holder.startTime && now.bootId === holder.bootId;
  } catch (error) {
    // A process that we may not inspect is alive too.
    const code = errorCode(error);
    return code !== 'ENOENT' && code !== 'ESRCH';
  }
}

async function describeProcess(pid: number): Promise<Holder> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field, the command in parentheses, may contain spaces, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; it stays listed until its parent collects it.
  const startTime = fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return { pid, startTime, bootId, nonce: randomUUID() };
}
