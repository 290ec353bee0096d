import type { Logger } from 'pino';
import { loadSecretsKeys } from '../adapters/secrets/secrets-key.ts';
import type { TextEncoder } from '../adapters/embeddings/text-encoder.ts';
import { createApp } from '../app/app.ts';
import { startBackground, startSpoolChores } from '../app/background.ts';
import type { Config } from '../config/config.ts';
import { createDependencies } from '../app/create-dependencies.ts';
import type { Tokens } from '../core/context.ts';
import type { Database } from '../db/types.ts';
import { PATIENT } from '../db/migrating/lock-waits.ts';
import { migrate } from '../db/migrating/migrate.ts';
import { openDatabase } from '../db/engines/open.ts';
import { requireVector } from '../db/engines/vector-extension.ts';
import { undoOpenBatches } from '../features/memory/service.ts';
import { busUrls, createBus } from '../bus/create-bus.ts';
import { createMetrics, serveMetrics } from '../http/probes/metrics.ts';
import type { Timing } from '../jobs/timing.ts';
import { createWakeUp } from '../jobs/wake-up.ts';
import { createMeasured } from '../app/measurements.ts';
import { prepareWebApp } from './build-web.ts';
import { announce, bootstrap } from './first-run.ts';

export async function serve(
  config: Config,
  log: Logger,
  options: { worker: boolean; web: boolean },
): Promise<void> {
  const secretsKeys = await loadSecretsKeys(config);
  const [db, webApp] = await Promise.all([
    openMigrated(config, log),
    options.web ? prepareWebApp(log) : undefined,
  ]);
  const bus = createBus(busUrls(config), log);
  const dependencies = createDependencies(config, log, { db, secretsKeys, bus });
  const app = createApp({ config, db, log, bus, dependencies, webApp });
  // Before listening: anyone who sees the server up may already tell it to stop.
  const stopped = stopSignal();
  const stopCopies = await offerCopies(config, db, log);
  try {
    const port = await app.listen();
    log.info({ host: config.host, port, database: db.engine }, 'listening');
    const started = { ...config, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
    await greet(started, db, dependencies.tokens);
    webApp?.start();
    warmUp(dependencies.encoder, log);
    const background = options.worker
      ? startBackground({ config: started, db, log, wakeUp: createWakeUp(bus), dependencies })
      : startSpoolChores(dependencies, log);
    await stopped;
    log.info('stopping, finishing open requests');
    await Promise.all([app.close(), background.stop()]);
  } catch (error) {
    await app.close();
    throw error;
  } finally {
    await stopCopies();
    await webApp?.stop();
    await dependencies.close();
    await bus.close();
    await db.close();
  }
}

/** Only this process can read the embedded database, so `backup` has to ask it for a copy. */
async function offerCopies(
  config: Config,
  db: Database,
  log: Logger,
): Promise<() => Promise<void>> {
  if (db.engine !== 'embedded') return async () => {};
  const liveCopy = await import('../db/engines/live-copy.ts');
  return liveCopy.offerCopies(config.dataDir, db, log).catch((error: unknown) => {
    log.warn({ err: error }, 'backups are not possible while this server runs');
    return async () => {};
  });
}

/** Starts after the server listens, so that the model is loaded before the first memory is written. */
function warmUp(encoder: TextEncoder, log: Logger): void {
  encoder
    .warmUp()
    .catch((error: unknown) =>
      log.error(
        { err: error },
        'could not load the embedding model; memory search uses words only',
      ),
    );
}

/** Runs after listening: a failed start must not leave a workspace whose key nobody has seen. */
async function greet(config: Config, db: Database, tokens: Tokens): Promise<void> {
  const firstRun = await bootstrap(config, db, tokens);
  if (firstRun) announce(config, firstRun);
  else {
    const { publicUrl } = config;
    process.stdout.write(`Atrium is running at ${publicUrl} (API reference: ${publicUrl}/docs)\n`);
  }
}

export async function work(
  config: Config,
  log: Logger,
  jobTiming: Partial<Timing> = {},
): Promise<void> {
  const secretsKeys = await loadSecretsKeys(config);
  const db = await openMigrated(config, log);
  const bus = createBus(busUrls(config), log);
  const dependencies = createDependencies(config, log, { db, secretsKeys, bus });
  const wakeUp = createWakeUp(bus);
  const background = startBackground({ config, db, log, wakeUp, dependencies, jobTiming });
  const metrics = await serveMetrics(
    config,
    createMetrics(createMeasured(db, log, dependencies.encoder)),
    log,
  );
  log.info({ database: db.engine }, 'worker started');
  await stayAlive(stopSignal());
  metrics?.close();
  await background.stop();
  await dependencies.close();
  await bus.close();
  await db.close();
}

export async function openMigrated(config: Config, log: Logger): Promise<Database> {
  const db = await openDatabase(config, log);
  try {
    await requireVector(db);
    const { applied } = await migrate(db, {
      ...PATIENT,
      report: (fields, message) => log.info(fields, message),
    });
    if (applied.length > 0) log.info({ applied }, 'applied migrations');
    await undoOpenBatches(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

/** Waiting for a signal does not keep a process alive; a timer does. */
async function stayAlive(until: Promise<void>): Promise<void> {
  const timer = setInterval(() => {}, 60_000);
  await until;
  clearInterval(timer);
}
