import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PglitePgConnection } from '@electric-sql/pglite/node-postgres';
import { vector } from '@electric-sql/pglite-pgvector';
import pg from 'pg';
import { ConfigError } from '../../config/config-error.ts';
import { makeFolder, syncPath } from '../../disk/durable-file.ts';
import { withCheckpoints } from './checkpoints.ts';
import { createPooledDatabase, useDatabase } from '../transactions/database.ts';
import { DurableFs } from './durable-fs.ts';
import { EngineFailed, startFailure } from './engine-failed.ts';
import { lockFolder } from './folder-lock.ts';
import { parseSqlTypes } from './sql-types.ts';
import type { Database } from '../types.ts';

export const EMBEDDED_EXTENSIONS = { vector };
/** The database's folder inside the data folder. */
export const CLUSTER = 'db';

/** Must end the process: an engine that panicked never finishes its next statement. */
type OnPanic = (reason: string) => void;

const exit: OnPanic = () => process.exit(1);

/** Opens or creates the embedded database in `dataDir`, which belongs to this process until `close`. */
export async function openEmbedded(dataDir: string, onPanic: OnPanic = exit): Promise<Database> {
  await makeFolder(dataDir);
  const unlock = await lockFolder(dataDir);
  try {
    const folder = join(dataDir, CLUSTER);
    if (!existsSync(folder)) await makeCluster(dataDir, async () => {});
    return withCheckpoints(await openCluster(folder, unlock, onPanic));
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Creates the embedded database and fills it, or leaves the folder without one. */
export async function createEmbedded<T>(
  dataDir: string,
  fill: (db: Database) => Promise<T>,
): Promise<T> {
  await makeFolder(dataDir);
  const unlock = await lockFolder(dataDir);
  try {
    const folder = join(dataDir, CLUSTER);
    if (existsSync(folder)) {
      throw new ConfigError('DATA_DIR', `already has a database, ${folder}; use another folder`);
    }
    return await makeCluster(dataDir, fill);
  } finally {
    await unlock();
  }
}

/** Opens a cluster in a folder that this process has locked. */
export async function openCluster(
  folder: string,
  onClose: () => Promise<void>,
  onPanic: OnPanic = exit,
): Promise<Database> {
  return embeddedDatabase(await startEngine(folder, onPanic), { onClose });
}

/**
 * The engine copies a new cluster file by file and cannot start on an incomplete one. So it is created in
 * another folder and moved when it is complete and on disk: a first start or a restore that is cut short
 * does no harm.
 */
async function makeCluster<T>(dataDir: string, fill: (db: Database) => Promise<T>): Promise<T> {
  const folder = join(dataDir, CLUSTER);
  const temporary = `${folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  try {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    // Nobody waits for it if the engine does not even start.
    failed.catch(() => {});
    const engine = await startEngine(temporary, (reason) => reject(new EngineFailed(reason)));
    const db = embeddedDatabase(engine, { onError: () => {} });
    const result = await Promise.race([useDatabase(db, fill), failed]);
    await syncTree(temporary);
    await rename(temporary, folder);
    await syncPath(dataDir);
    return result;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
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
const STOPPED = /^[\d-]+ [\d:.]+ \w+ \[\d+\] (FATAL|PANIC): +(.*)$/;

async function startEngine(folder: string, onPanic: OnPanic): Promise<PGlite> {
  let lastReason: string | undefined;
  let isStarting = true;
  const { promise: panicked, reject } = Promise.withResolvers<never>();
  const engine = new PGlite({
    fs: new DurableFs(folder),
    startParams: DURABLE,
    extensions: EMBEDDED_EXTENSIONS,
    onStderr(line) {
      const [, level, reason] = STOPPED.exec(line) ?? [];
      if (reason === undefined) return true;
      lastReason = reason;
      if (level !== 'PANIC') return true;
      if (isStarting) reject(new Error(reason));
      else onPanic(reason);
      return true;
    },
  });
  try {
    await Promise.race([engine.waitReady, panicked]);
    isStarting = false;
  } catch (error) {
    throw new EngineFailed(lastReason ?? startFailure(error));
  }
  return engine;
}

/**
 * A new client does not know the statements that were prepared in the session before. Pending entries of a
 * GIN index are merged in small portions: the default of 4 MB stopped everything for half a second. Tables of
 * long texts look small to the planner, which would read all of them rather than use an index.
 */
const START_SESSION = `DEALLOCATE ALL; SET gin_pending_list_limit = '64kB'; SET enable_seqscan = off`;

export interface EmbeddedOptions {
  onClose?: () => Promise<void>;
  /** Told that the engine broke, as on a full disk. Default: the process ends, and the next start recovers. */
  onError?: () => void;
}

/** Wraps a running engine. It has one session, so the pool has one connection and transactions wait for it. */
export function embeddedDatabase(engine: PGlite, options: EmbeddedOptions = {}): Database {
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
  pool.on('connect', (client) => {
    if (options.onError) client.on('error', options.onError);
    void client.query(START_SESSION).catch(() => {});
  });
  return createPooledDatabase({
    engine: 'embedded',
    pool,
    sharedConnections: 0,
    async onClose() {
      await engine.close();
      await options.onClose?.();
    },
  });
}
