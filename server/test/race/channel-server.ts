import { createApp } from '../../src/app/app.ts';
import { startBackground } from '../../src/app/background.ts';
import { busUrls, createBus } from '../../src/bus/create-bus.ts';
import { openMigrated } from '../../src/commands/serve.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDependencies } from '../../src/app/create-dependencies.ts';
import { createWakeUp } from '../../src/jobs/wake-up.ts';
import { createLogger } from '../../src/core/logger.ts';

/** The server as `serve` runs it, with shorter leases and a certificate authority (TEST_CA) of the test's. */
const config = readConfig(process.env);
const log = createLogger(config.logLevel);
const db = await openMigrated(config, log);
const bus = createBus(busUrls(config), log);
const { TEST_CA: ca = '' } = process.env;
const dependencies = createDependencies(config, log, {
  db,
  bus,
  ca,
  secretsKeys: config.secretsKeys ?? [Buffer.alloc(32)],
});
const app = createApp({ config, db, log, bus, dependencies });
const port = await app.listen();
startBackground({
  config,
  db,
  log,
  dependencies,
  wakeUp: createWakeUp(bus),
  relayTiming: { leaseMs: 1_500, everyMs: 250, callMs: 1_000, firstPauseMs: 50 },
});
log.info({ port }, 'listening');
