import { createApp } from '../server/src/app/app.ts';
import { loadSecretsKeys } from '../server/src/adapters/secrets/secrets-key.ts';
import { createBus } from '../server/src/bus/create-bus.ts';
import { readConfig } from '../server/src/config/config.ts';
import { createDependencies } from '../server/src/app/create-dependencies.ts';
import { openDatabase } from '../server/src/db/engines/open.ts';
import type { Route } from '../server/src/http/route.ts';
import { createLogger } from '../server/src/core/logger.ts';

/** Runs the server with other routes than its own, as the baseline of a benchmark. */
export async function serveRoutes(routes: Route[]): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const db = await openDatabase(config, log);
  const bus = createBus({ postgres: config.databaseUrl }, log);
  const secretsKeys = await loadSecretsKeys(config);
  const dependencies = createDependencies(config, log, { db, secretsKeys, bus });
  const app = createApp({ config, db, log, bus, dependencies, routes });
  log.info({ port: await app.listen() }, 'listening');
  process.once('SIGTERM', () => process.exit(0));
}
