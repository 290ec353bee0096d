import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RetryTimings } from '../../../src/adapters/models/retries.ts';
import type { TextEncoder } from '../../../src/adapters/embeddings/text-encoder.ts';
import { createApp, type App } from '../../../src/app/app.ts';
import { startBackground } from '../../../src/app/background.ts';
import { readConfig, type Config } from '../../../src/config/config.ts';
import type { Tokens } from '../../../src/core/context.ts';
import { createDependencies } from '../../../src/app/create-dependencies.ts';
import type { Database } from '../../../src/db/types.ts';
import { createBus } from '../../../src/bus/create-bus.ts';
import type { RelayTiming } from '../../../src/features/channels/relay/service.ts';
import type { Timing } from '../../../src/jobs/timing.ts';
import { createWakeUp } from '../../../src/jobs/wake-up.ts';
import { createLogger } from '../../../src/core/logger.ts';
import type { SlowSenderLimits } from '../../../src/http/connections/protocol.ts';
import type { Route } from '../../../src/http/route.ts';
import type { ConnectionLimits } from '../../../src/http/connections/watch-connections.ts';
import type { LiveTiming } from '../../../src/features/live/service.ts';
import type { WebApp } from '../../../src/web-app/web-app.ts';
import { createTestDatabase, type TestDatabase } from '../databases/database.ts';
import { lookingAtStatements } from '../databases/tenant-statements.ts';

export interface TestServer {
  origin: string;
  db: Database;
  tokens: Tokens;
  /** Everything the server logged, as JSON lines. */
  logLines: string[];
  stop(): Promise<void>;
}

export interface TestServerOptions {
  env?: Record<string, string>;
  routes?: readonly Route[];
  slowSenderLimits?: SlowSenderLimits;
  connectionLimits?: Partial<ConnectionLimits>;
  /** Also run background jobs, with the mail settings in `env`. */
  worker?: boolean;
  /** How long a model may take before its reply fails. */
  replyDeadlineMs?: number;
  /** Shorter times for background jobs. */
  jobTiming?: Partial<Timing>;
  /** The same for chat connections; default: they are served almost at once. */
  relayTiming?: Partial<RelayTiming>;
  /** How calls to model providers are retried; default: at once. */
  modelRetries?: RetryTimings;
  /** The certificate authority (PEM) to trust for MCP servers, instead of NODE_EXTRA_CA_CERTS. */
  ca?: string;
  /** `host:port` of local servers whose pages it may preview. */
  previewHosts?: readonly string[];
  /** Another server's database, to act as a second process on it. */
  shared?: TestDatabase;
  /** An app that is built, or still building. */
  webApp?: WebApp;
  liveTiming?: Partial<LiveTiming>;
  /** How old the caller's rights may be; 0: each step reads them again. */
  authorityMaxAgeMs?: number;
}

/** Shared by all servers of a test file, so that the model is loaded only once. */
let localEncoder: TextEncoder | undefined;

const AT_ONCE: RetryTimings = { backoffMs: 0, pause: async () => {} };
const SECRETS_KEY = Buffer.alloc(32, 7);
const DEFAULTS = {
  DATA_DIR: join(tmpdir(), 'atrium-test-data'),
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_WRITES: '1000000',
  RATE_LIMIT_SIGN_INS: '1000000',
};
/** Nothing outside this machine is called. */
const linkPreviews = (hosts: readonly string[] | undefined) => ({
  LINK_PREVIEWS: hosts ? 'on' : 'off',
});

/** The real application on a real socket, with its own database. Rate limits are off by default. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.shared ?? (await createTestDatabase());
  const config: Config = readConfig({
    PORT: '0',
    ...DEFAULTS,
    ...linkPreviews(options.previewHosts),
    ...options.env,
  });
  const logLines: string[] = [];
  const log = createLogger('trace', { write: (line: string) => void logLines.push(line) });
  const db = lookingAtStatements(database.db);
  const bus = createBus({ postgres: database.directUrl ?? database.url }, log);
  const made = createDependencies(config, log, {
    db,
    secretsKeys: config.secretsKeys ?? [SECRETS_KEY],
    bus,
    modelRetries: options.modelRetries ?? AT_ONCE,
    ...(options.ca !== undefined && { ca: options.ca }),
    previewHosts: options.previewHosts,
  });
  const encoder =
    config.embeddings.kind === 'local' ? (localEncoder ??= made.encoder) : made.encoder;
  const dependencies = { ...made, encoder };
  const app: App = createApp({
    config,
    db,
    log,
    bus,
    dependencies,
    checkResponses: true,
    drainNoticeMs: 0,
    webApp: options.webApp,
    liveTiming: options.liveTiming,
    authorityMaxAgeMs: options.authorityMaxAgeMs,
    connectionLimits: options.connectionLimits,
    ...(options.routes && { routes: options.routes }),
    ...(options.slowSenderLimits && { slowSenderLimits: options.slowSenderLimits }),
  });
  const port = await app.listen();
  const background = options.worker
    ? startBackground({
        config,
        db,
        log,
        wakeUp: createWakeUp(bus),
        dependencies,
        ...(options.replyDeadlineMs !== undefined && { replyDeadlineMs: options.replyDeadlineMs }),
        ...(options.jobTiming && { jobTiming: options.jobTiming }),
        relayTiming: { everyMs: 200, firstPauseMs: 20, ...options.relayTiming },
      })
    : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    db: database.db,
    tokens: dependencies.tokens,
    logLines,
    async stop() {
      await app.close();
      await background?.stop();
      await Promise.all([
        dependencies.mcp.close(),
        dependencies.providers.close(),
        dependencies.webPages?.close(),
        dependencies.sandbox?.close(),
      ]);
      if (encoder !== localEncoder) await encoder.close();
      await bus.close();
      if (!options.shared) await database.drop();
    },
  };
}
