import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { startMaintenance } from '../jobs/maintenance.ts';
import { announce, bootstrap } from './first-run.ts';

export async function serve(
  config: Config,
  log: Logger,
  options: { worker: boolean },
): Promise<void> {
  const db = await openMigrated(config, log);
  const app = createApp({ config, db, log });
  try {
    const port = await app.listen();
    log.info({ host: config.host, port, database: db.engine }, 'listening');
    await greet({ ...config, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }, db);
    const maintenance = options.worker ? startMaintenance(db, log) : undefined;
    await stopSignal();
    log.info('stopping: finishing open requests');
    await app.close();
    await maintenance?.stop();
  } catch (error) {
    await app.close();
    throw error;
  } finally {
    await db.close();
  }
}

/** After listening: a start that fails to leaves no workspace whose key nobody has seen. */
async function greet(config: Config, db: Database): Promise<void> {
  const firstRun = await bootstrap(config, db);
  if (firstRun) announce(config, firstRun);
  else {
    const { publicUrl } = config;
    process.stdout.write(`Atrium listens on ${publicUrl} (reference: ${publicUrl}/docs)\n`);
  }
}

export async function work(config: Config, log: Logger): Promise<void> {
  const db = await openMigrated(config, log);
  const maintenance = startMaintenance(db, log);
  log.info({ database: db.engine }, 'worker started');
  await stopSignal();
  await maintenance.stop();
  await db.close();
}

export async function openMigrated(config: Config, log: Logger): Promise<Database> {
  const db = await openDatabase(config, log);
  try {
    const { applied } = await migrate(db);
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const keepAlive = setInterval(() => {}, 60_000);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        clearInterval(keepAlive);
        resolve();
      });
    }
  });
}
