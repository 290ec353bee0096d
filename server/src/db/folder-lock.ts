import { hash, randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The embedded engine does not lock its folder, and two processes in it corrupt the data. Our lock
 * file says who holds it; it is stale unless a live process has that pid, start time and boot id.
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
      `the data folder ${folder} is in use by process ${pid}: stop that process first, or set DATA_DIR to another folder`,
    );
    this.name = 'FolderLockedError';
  }
}

export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lockFile = join(folder, 'lock');
  const mine = JSON.stringify(await describeProcess(process.pid));
  const draft = join(folder, `lock.${process.pid}.${randomUUID()}`);
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    await acquire(folder, lockFile, draft);
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await readIfThere(lockFile)) === mine) await rm(lockFile, { force: true });
  };
}

/**
 * Makes `file` ours. A stale one may be replaced only by who holds a second lock, named after its very
 * content: of all who found it, one gets that lock, and whoever comes late sees that the content changed.
 */
async function acquire(folder: string, file: string, draft: string): Promise<void> {
  while (!(await tryLink(draft, file))) {
    const found = await readIfThere(file);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder && (await isAlive(holder))) throw new FolderLockedError(folder, holder.pid);
    const takeover = join(folder, `lock.${hash('sha256', found).slice(0, 32)}`);
    await acquire(folder, takeover, draft);
    if ((await readIfThere(file)) === found) {
      await rename(takeover, file);
      return;
    }
    await rm(takeover, { force: true });
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
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
    // A process that we may not look at is one all the same.
    return !isErrno(error, 'ENOENT') && !isErrno(error, 'ESRCH');
  }
}

async function describeProcess(pid: number): Promise<Holder> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field, the command in parentheses, may hold spaces: count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; it is listed until its parent asks how.
  const startTime = fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return { pid, startTime, bootId, nonce: randomUUID() };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
