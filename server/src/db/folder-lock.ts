import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
    while (!(await tryLink(draft, lockFile))) {
      const found = await readIfThere(lockFile);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (holder && (await isAlive(holder))) throw new FolderLockedError(folder, holder.pid);
      await replaceStale(folder, lockFile, found, draft);
      break;
    }
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await readIfThere(lockFile)) === mine) await rm(lockFile, { force: true });
  };
}

/**
 * Two processes may find the same stale lock. One of them makes the takeover file and goes on, once
 * it has seen that the lock is still the stale one; the other is told the folder is taken.
 */
async function replaceStale(
  folder: string,
  lockFile: string,
  stale: string,
  draft: string,
): Promise<void> {
  const takeover = join(folder, 'lock.takeover');
  if (!(await tryCreate(takeover))) {
    const rival = parseHolder((await readIfThere(takeover)) ?? '');
    if (rival && (await isAlive(rival))) throw new FolderLockedError(folder, rival.pid);
    await rm(takeover, { force: true });
    if (!(await tryCreate(takeover))) throw new FolderLockedError(folder, rival?.pid ?? 0);
  }
  try {
    const now = await readIfThere(lockFile);
    if (now !== undefined && now !== stale) {
      throw new FolderLockedError(folder, parseHolder(now)?.pid ?? 0);
    }
    await rename(draft, lockFile);
  } finally {
    await rm(takeover, { force: true });
  }
}

async function tryCreate(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(JSON.stringify(await describeProcess(process.pid)));
    await handle.close();
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
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
  const now = await describeProcess(holder.pid).catch(() => undefined);
  return now !== undefined && now.startTime === holder.startTime && now.bootId === holder.bootId;
}

async function describeProcess(pid: number): Promise<Holder> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field, the command in parentheses, may hold spaces: count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return { pid, startTime: fields[19] ?? '', bootId, nonce: randomUUID() };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
