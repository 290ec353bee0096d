import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, constants, copyFile, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { CLUSTER, openCluster } from './embedded.ts';
import { FolderLockedError, lockFolder } from './folder-lock.ts';
import type { Database } from '../types.ts';
import { errorCode } from '../../core/error-code.ts';

/**
 * The embedded engine has one session, so no reader could keep a snapshot without stopping everyone else.
 * Instead another process copies the files while they change, and replays the log on the copy (ADR 34).
 */
const SOCKET = 'backup.sock';
const COPY = 'backup-copy';
const CONTROL_FILE = 'global/pg_control';

/** Contents that a starting engine makes again. The log is copied last. */
const EMPTIED = new Set(['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial']);

/** Where the log begins that the copy needs, and the control file that names this place. */
interface CopyStart {
  firstLogFile: string;
  controlFile: string;
}
/** Where the log ended after all files were copied. */
interface CopyEnd {
  position: string;
  lastLogFile: string;
}

/** Lets other processes of the folder's owner copy the database that this process uses. */
export async function offerCopies(
  dataDir: string,
  db: Database,
  log: Logger,
): Promise<() => Promise<void>> {
  const guided = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const work = guideCopy(socket, dataDir, db)
      .catch((error: unknown) => log.warn({ err: error }, 'a backup could not copy the database'))
      .finally(() => {
        socket.destroy();
        guided.delete(socket);
      });
    guided.set(socket, work);
  });
  const file = join(dataDir, SOCKET);
  await rm(file, { force: true });
  const folder = await openFolder(dataDir);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(folder.pathOf(SOCKET), resolve);
  });
  await chmod(file, 0o600);
  return async () => {
    server.close();
    for (const socket of guided.keys()) socket.destroy();
    await Promise.all(guided.values());
    await folder.close();
  };
}

/** The server's part: keeps the log, from the last checkpoint on, for as long as the copy takes. */
async function guideCopy(socket: Socket, dataDir: string, db: Database): Promise<void> {
  const asked = linesOf(socket);
  const slot = `backup_${randomBytes(8).toString('hex')}`;
  await db.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
  try {
    const [start] = await db.query<{ file: string }>(
      'SELECT redo_wal_file AS file FROM pg_control_checkpoint()',
    );
    // The engine writes on this thread, so the file cannot change while it is read.
    const controlFile = readFileSync(join(dataDir, CLUSTER, CONTROL_FILE), 'base64');
    send(socket, { firstLogFile: start?.file ?? '', controlFile } satisfies CopyStart);
    if ((await asked.next()).done) return;
    // Writes a record of no effect: this flushes the log, and says where it ends.
    const [end] = await db.query<CopyEnd>(
      `SELECT p::text AS position, pg_walfile_name(p) AS "lastLogFile"
       FROM pg_logical_emit_message(false, 'backup', '', true) AS p`,
    );
    if (end) send(socket, end);
    await asked.next();
  } finally {
    await db.query('SELECT pg_drop_replication_slot($1)', [slot]);
  }
}

/** Copies the database that a running server uses, and opens the copy. Closing it deletes it. */
export async function openLiveCopy(dataDir: string): Promise<Database> {
  const server = await connectTo(dataDir);
  const copy = join(dataDir, COPY);
  await mkdir(copy, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(copy).catch((error: unknown) => {
    server.destroy();
    throw error instanceof FolderLockedError ? new CopyFailed('another backup is running') : error;
  });
  const removeNow = () => rmSync(copy, { recursive: true, force: true });
  process.once('exit', removeNow);
  const remove = async () => {
    await rm(copy, { recursive: true, force: true });
    await unlock();
    process.removeListener('exit', removeNow);
  };
  try {
    const cluster = join(copy, CLUSTER);
    await rm(cluster, { recursive: true, force: true });
    const end = await copyCluster(server, join(dataDir, CLUSTER), cluster);
    const db = await openCluster(cluster, remove);
    await requireWhole(db, end);
    return db;
  } catch (error) {
    await remove();
    throw error;
  } finally {
    server.destroy();
  }
}

/** The server could not be asked for a copy, or ended meanwhile. The message is one line. */
export class CopyFailed extends Error {
  override name = 'CopyFailed';
}

async function copyCluster(server: Socket, from: string, to: string): Promise<CopyEnd> {
  const answers = linesOf(server);
  const receive = async <T>() => {
    const answer = await answers.next().catch(() => undefined);
    if (!answer || answer.done)
      throw new CopyFailed('the server stopped while it was copied; try again');
    return JSON.parse(answer.value) as T;
  };
  const start = await receive<CopyStart>();
  await copyFolder(from, to);
  await writeFile(join(to, CONTROL_FILE), start.controlFile, 'base64');
  send(server, { copied: true });
  const end = await receive<CopyEnd>();
  for (const file of await readdir(join(from, 'pg_wal'))) {
    if (file >= start.firstLogFile && file <= end.lastLogFile) {
      await copyIfExists(join(from, 'pg_wal', file), join(to, 'pg_wal', file));
    }
  }
  return end;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!entry.isDirectory()) await copyIfExists(source, target);
    else if (EMPTIED.has(entry.name)) await mkdir(target, { mode: 0o700 });
    else await copyFolder(source, target);
  }
}

/** A file that was deleted meanwhile belongs to a table that the log deletes too. */
async function copyIfExists(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Without the whole log, the copy could hold only part of a transaction. */
async function requireWhole(db: Database, end: CopyEnd): Promise<void> {
  const [row] = await db.query<{ whole: boolean }>(
    'SELECT pg_current_wal_lsn() >= $1::pg_lsn AS whole',
    [end.position],
  );
  if (row?.whole) return;
  await db.close();
  throw new CopyFailed('the copy of the running database is incomplete; try again');
}

async function connectTo(dataDir: string): Promise<Socket> {
  const folder = await openFolder(dataDir);
  try {
    return await new Promise<Socket>((resolve, reject) => {
      const socket = createConnection(folder.pathOf(SOCKET), () => resolve(socket));
      socket.once('error', reject);
    });
  } finally {
    await folder.close();
  }
}

/** Ends when the connection does, also if it breaks. */
function linesOf(socket: Socket): AsyncIterator<string> {
  const lines = createInterface({ input: socket });
  socket.on('error', () => {}).once('close', () => lines.close());
  return lines[Symbol.asyncIterator]();
}

function send(socket: Socket, value: object): void {
  socket.write(`${JSON.stringify(value)}\n`);
}

/** The path of a socket has at most 107 bytes; through the folder's descriptor it is always short. */
async function openFolder(folder: string) {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    pathOf: (name: string) => `/proc/self/fd/${handle.fd}/${name}`,
    close: () => handle.close(),
  };
}
