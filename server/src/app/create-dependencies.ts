import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFileReader } from '../adapters/file-reader/create-file-reader.ts';
import { createScanner } from '../adapters/scan/create-scanner.ts';
import { createStorage } from '../adapters/storage/create-storage.ts';
import { createTextEncoder } from '../adapters/embeddings/create-text-encoder.ts';
import { createChatGuard } from '../adapters/chat/create-chat-guard.ts';
import { createMcpClients } from '../adapters/mcp/create-mcp-clients.ts';
import { createModelRegistry } from '../adapters/models/create-model-registry.ts';
import { createProviderClients } from '../adapters/models/create-provider-clients.ts';
import type { RetryTimings } from '../adapters/models/retries.ts';
import { createPayments } from '../adapters/payments/create-payments.ts';
import { createLazySandbox, type LazySandbox } from '../adapters/payments/lazy-sandbox.ts';
import { createReranker } from '../adapters/rerank/create-reranker.ts';
import { createWebPages } from '../adapters/web-pages/create-web-pages.ts';
import { createSafeFetch } from '../adapters/safe-fetch/create-safe-fetch.ts';
import { createTokens } from '../adapters/secrets/tokens.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import type { Bus } from '../bus/bus.ts';
import { createHints } from '../bus/hints.ts';
import { createPresenceBoard } from '../bus/presence-board.ts';
import { createReplyLines } from '../bus/reply-lines.ts';
import type { Config } from '../config/config.ts';
import type { SecretsKeys } from '../config/secrets-keys.ts';
import type { Dependencies } from '../core/context.ts';
import { createEvents } from '../events/create-events.ts';
import { createLookups } from '../db/batched-lookup.ts';
import type { Database } from '../db/types.ts';
import { STRIPE_WEBHOOK } from '../features/billing/webhook.ts';
import { createJobQueue } from '../jobs/queue.ts';
import { createWakeUp } from '../jobs/wake-up.ts';
import { EXPORTS } from './exports.ts';
import { LISTENERS, PREPARATIONS } from './listeners.ts';
import { createPageCache } from '../lists/page-cache.ts';
import { createSite } from '../core/site.ts';

/** The dependencies, and how to close them. */
export interface MadeDependencies extends Dependencies {
  /** Set outside production, if there is no Stripe key. */
  sandbox: LazySandbox | undefined;
  close(): Promise<void>;
}

export interface DependencyParts {
  db: Database;
  secretsKeys: SecretsKeys;
  bus: Bus;
  /** A certificate authority to trust instead of the system's; for tests. Operators use NODE_EXTRA_CA_CERTS. */
  ca?: string;
  /** How calls to model providers are retried; for tests. */
  modelRetries?: RetryTimings;
  /** `host:port` of private servers whose pages may be read; for tests. Operators can't allow any. */
  previewHosts?: readonly string[] | undefined;
}

export function createDependencies(
  config: Config,
  log: Logger,
  { db, secretsKeys, bus, ca, modelRetries, previewHosts = [] }: DependencyParts,
): MadeDependencies {
  const jobs = createJobQueue(createWakeUp(bus));
  const site = createSite(config);
  const encoder = createTextEncoder(config.embeddings, log);
  const network = {
    dnsServers: config.dnsServers,
    ownOrigin: config.publicUrl,
    ...(ca !== undefined && { ca }),
  };
  const mcp = createMcpClients(createSafeFetch({ ...network, allowHosts: config.mcpAllowHosts }));
  const providers = createProviderClients(
    createSafeFetch({
      ...network,
      allowHosts: config.modelAllowHosts,
      allowVariable: 'MODEL_ALLOW_HOSTS',
      allowsPlainHttp: true,
    }),
    log,
    modelRetries,
  );
  const chat = createChatGuard(config, network);
  const webPages = config.linkPreviews
    ? createWebPages(createSafeFetch({ ...network, allowHosts: previewHosts }))
    : undefined;
  const sandbox = hasSandbox(config)
    ? createLazySandbox({
        db,
        jobs,
        log,
        publicUrl: () => site.publicUrl(),
        webhookUrl: () => site.localUrl() + STRIPE_WEBHOOK,
        webhookSecret: config.stripe.webhookSecret,
      })
    : undefined;
  const storage = createStorage(config);
  const fileReader = createFileReader(config, log);
  const presence = createPresenceBoard(bus);
  return {
    jobs,
    events: createEvents(LISTENERS, PREPARATIONS),
    exports: EXPORTS,
    hints: createHints(bus),
    replies: createReplyLines(bus),
    presence,
    site,
    encoder,
    reranker: createReranker(config.rerank, log),
    mcp,
    chat,
    webPages,
    sandbox,
    pages: createPageCache(),
    lookups: createLookups(db),
    spoolFolder: join(config.dataDir, 'spool'),
    tokens: createTokens(secretsKeys),
    models: createModelRegistry(config.models, log, modelRetries),
    providers,
    vault: createVault(secretsKeys),
    storage,
    fileReader,
    scanner: createScanner(config),
    fileLimits: config.files,
    payments: createPayments(config, sandbox),
    async close() {
      presence.close();
      await Promise.all([
        encoder.close(),
        storage.close(),
        fileReader.close(),
        mcp.close(),
        providers.close(),
        chat.safeFetch.close(),
        webPages?.close(),
        sandbox?.close(),
      ]);
    },
  };
}

function hasSandbox({ stripe, isProduction }: Config): boolean {
  return stripe.secretKey === undefined && !isProduction;
}
