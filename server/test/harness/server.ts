import { createApp, type App } from '../../src/app.ts';
import { readConfig, type Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { createLogger } from '../../src/logger.ts';
import type { Route } from '../../src/http/route.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestServer {
  origin: string;
  db: Database;
  /** Everything the server logged, as it would have been written. */
  logLines: string[];
  stop(): Promise<void>;
}

export interface TestServerOptions {
  env?: Record<string, string>;
  routes?: readonly Route[];
  /** Another server's database, to be one of several processes on it. */
  shared?: TestDatabase;
}

const UNLIMITED = { RATE_LIMIT_READS: '1000000', RATE_LIMIT_WRITES: '1000000' };

/** The real application on a real socket, with a database of its own; limits are off unless asked for. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.shared ?? (await createTestDatabase());
  const config: Config = readConfig({ PORT: '0', ...UNLIMITED, ...options.env });
  const logLines: string[] = [];
  const log = createLogger('trace', { write: (line: string) => void logLines.push(line) });
  const { db } = database;
  const routes = options.routes;
  const app: App = createApp({ config, db, log, checkResponses: true, ...(routes && { routes }) });
  const port = await app.listen();
  return {
    origin: `http://127.0.0.1:${port}`,
    db,
    logLines,
    async stop() {
      await app.close();
      if (!options.shared) await database.drop();
    },
  };
}
