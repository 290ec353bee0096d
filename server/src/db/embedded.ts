import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PglitePgConnection } from '@electric-sql/pglite/node-postgres';
import { vector } from '@electric-sql/pglite-pgvector';
import pg from 'pg';
import { makeFolder, syncPath } from '../durable-file.ts';
import { withCheckpoints } from './checkpoints.ts';
import { createPooledDatabase } from './database.ts';
import { DurableFs } from './durable-fs.ts';
import { lockFolder } from './folder-lock.ts';
import { parseSqlTypes } from './sql-types.ts';
import type { Database } from './types.ts';

export const EMBEDDED_EXTENSIONS = { vector };

/** Must end the process: an engine that panicked never finishes its next statement. */
type OnPanic = (reason: string) => void;

/** Opens or creates the embedded database in `dataDir`, which belongs to this process until `close`. */
export async function openEmbedded(
  dataDir: string,
  onPanic: OnPanic = () => process.exit(1),
): Promise<Database> {
  await makeFolder(dataDir);
  const unlock = await lockFolder(dataDir);
  try {
    const folder = join(dataDir, 'db');
    if (!existsSync(folder)) await makeCluster(dataDir, folder, onPanic);
    return withCheckpoints(embeddedDatabase(await startEngine(folder, onPanic), unlock));
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * The engine copies a new cluster file by file and cannot start on an incomplete one. So it is created in
 * another folder and moved when it is complete and on disk: a first start that is cut short does no harm.
 */
async function makeCluster(dataDir: string, folder: string, onPanic: OnPanic): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  const engine = await startEngine(draft, onPanic);
  await engine.close();
  await syncTree(draft);
  await rename(draft, folder);
  await syncPath(dataDir);
}

/** Some at a time: a disk saves several files in one go, and a process may open only so many. */
async function syncTree(folder: string): Promise<void> {
  const entries = ['.', ...(await readdir(folder, { recursive: true }))].values();
  const syncSome = async () => {
    for (const entry of entries) await syncPath(join(folder, entry));
  };
  await Promise.all(Array.from({ length: 16 }, syncSome));
}

/** The engine's C library ignores `fdatasync`, so the log is forced to disk with `fsync`. */
const DURABLE = PGlite.defaultStartParams
  .filter((param) => param !== '-F')
  .concat('-c', 'fsync=on', '-c', 'wal_sync_method=fsync');

/** Anchored, because other lines of the engine's log quote statements and values. */
const PANIC = /^[\d-]+ [\d:.]+ \w+ \[\d+\] PANIC: +(.*)$/;

async function startEngine(folder: string, onPanic: OnPanic): Promise<PGlite> {
  const engine = new PGlite({
    fs: new DurableFs(folder),
    startParams: DURABLE,
    extensions: EMBEDDED_EXTENSIONS,
    onStderr(line) {
      const [, reason] = PANIC.exec(line) ?? [];
      if (reason !== undefined) onPanic(reason);
      return true;
    },
  });
  await engine.waitReady;
  return engine;
}

/**
 * A new client does not know the statements that were prepared in the session before. Pending entries of a
 * GIN index are merged in small portions: the default of 4 MB stopped everything for half a second.
 */
const START_SESSION = `DEALLOCATE ALL; SET gin_pending_list_limit = '64kB'`;

/** Wraps a running engine. It has one session, so the pool has one connection and transactions wait for it. */
export function embeddedDatabase(
  engine: PGlite,
  onClose: () => Promise<void> = async () => {},
): Database {
  class EmbeddedClient extends pg.Client {
    constructor() {
      const config: pg.ClientConfig & { connection: unknown; pipeline: boolean } = {
        connection: new PglitePgConnection({ pglite: engine }),
        pipeline: true,
        types: parseSqlTypes,
      };
      super(config);
    }
  }
  const pool = new pg.Pool({ max: 1, idleTimeoutMillis: 0, Client: EmbeddedClient });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.query(START_SESSION).catch(() => {}));
  return createPooledDatabase({
    engine: 'embedded',
    pool,
    sharedConnections: 0,
    async onClose() {
      await engine.close();
      await onClose();
    },
  });
}
