import { defineConfig } from 'vitest/config';

/**
 * What needs no database, or asks each engine the same by statements that other tests run on both, runs
 * once: on the embedded engine, which is always there.
 */
const ENGINE_INDEPENDENT = [
  'src/adapters/!(file-reader)/**',
  'src/adapters/file-reader/{documents,parts,pictures}/**',
  'src/adapters/file-reader/{file-reader,pdf/page-lines}.test.ts',
  'src/backup/**',
  'src/config/**',
  'src/disk/{durable,spool}-file.test.ts',
  'src/features/agents/reading/{prompt,window}.test.ts',
  'src/features/billing/plans.test.ts',
  'src/features/channels/webhook.test.ts',
  'src/features/exports/**',
  'src/features/keys/secret.test.ts',
  'src/features/memory/search/**',
  'src/features/messages/mentions.test.ts',
  'src/features/messages/search/{highlight,query}.test.ts',
  'src/features/org/invitation-mail.test.ts',
  'src/http/input/json.test.ts',
  'src/http/input/large-bodies.test.ts',
  'src/jobs/failure.test.ts',
  'src/lists/json-list.test.ts',
  'src/core/logger.test.ts',
  'src/lists/page-cache.test.ts',
  'src/web-app/**',
  'src/text/**',
  'test/http/cors.test.ts',
  'test/commands/deploy.test.ts',
  'test/docs/{architecture,contributing}.test.ts',
  'test/docs/docs-{drift,page}.test.ts',
  'test/cost/fairness.test.ts',
  'test/docs/{feature-names,import-rules}.test.ts',
  'test/harness/**',
  'test/http/hostile-*.test.ts',
  'test/commands/invitation-mail.test.ts',
  'test/http/{hidden-characters,security-headers}.test.ts',
  'test/migrations/{migration-rules,row-types}.test.ts',
  'test/mcp/mcp-{endpoint,endpoint-http}.test.ts',
  'test/docs/openapi.test.ts',
  'test/rights/{channel-rights,route-access-table}.test.ts',
  '../payments-sandbox/test/{api,pages}.test.ts',
  'test/migrations/unread-migration.test.ts',
  'test/http/web-app.test.ts',
];

/** What the race suite does on PostgreSQL with real processes. On Citus it does not, so these run there. */
const RACED_ON_POSTGRES = [
  // race/stops stops and retries replies, before and after they have begun.
  'src/features/agents/stop.test.ts',
  // The same, beside idempotency, replayed-writes and retry, which keep and replay responses.
  'test/idempotency/replayed-replies.test.ts',
  // Each asks one thing at a time, of statements that agents, credits, sign-in and exports.test.ts send on both.
  'src/features/agents/{own-agents,summaries}.test.ts',
  'test/billing/billing-topups.test.ts',
  'src/features/identity/sign-in/{attempts,known-device}.test.ts',
  'test/exports/own-exports.test.ts',
];

/**
 * Independent of the engine, but long: they run where a PostgreSQL is there, which answers them in less time
 * than the embedded engine, so that `npm test` stays short.
 */
const LONG = [
  // OCR, and whatever may take long to unpack.
  'src/adapters/file-reader/{hostile-files,pdf/pdf}.test.ts',
  'src/features/agents/{branches,files,model-replies,retried-runs,retry,unpaid-runs}.test.ts',
  'src/features/billing/credits.test.ts',
  'src/features/channels/relay.test.ts',
  'src/features/files/checking/scanning.test.ts',
  'src/features/identity/email-changes/email-changes.test.ts',
  'src/features/live/replies.test.ts',
  'src/features/messages/{keeping/keeping,scheduled/scheduled}.test.ts',
  'src/features/models/providers/answering.test.ts',
  'src/features/sessions/unread/unread-model.test.ts',
  'test/agents/agents-{context,lanes}.test.ts',
  'test/billing/billing-{plans,webhook}.test.ts',
  'test/commands/{backup,command-line}.test.ts',
  'test/docs/docs-api.test.ts',
  'test/http/{request-order,slow-senders,unread-responses}.test.ts',
  'test/mcp/mcp-{endpoint-conformance,everything,hostile,sessions}.test.ts',
  'test/memory/memory-embedding.test.ts',
  'test/rights/{cookie-callers,file-*,memory-leaks,notification-rights,properties,route-access,session-readers}.test.ts',
  'test/migrations/channels-migration.test.ts',
  'test/storage/backup-of-files.test.ts',
  // Only a machine with services has an S3 service.
  'test/storage/s3-*.test.ts',
];

/** The engine itself, and where a transaction left open shows at once: it has one connection. */
const EMBEDDED_ONLY = ['src/db/engines/embedded.test.ts', 'test/billing/billing-provider.test.ts'];

/** The suite runs on the embedded engine and, where a PostgreSQL is there, on it too. */
const HAS_POSTGRES = Boolean(process.env['TEST_DATABASE_URL']);
/** Or only on a Citus cluster, where every test file starts from a distributed database. */
const ON_CITUS = process.env['TEST_CITUS'] === '1';

function onEngine(engine: 'embedded' | 'postgres' | 'citus') {
  return {
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/leave-no-trace.ts'],
    env: { TEST_ENGINE: engine, LOG_LEVEL: 'silent' },
    // Long, as they are for what hangs: a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  };
}

const SLOW = ['test/race/**', 'test/faults/**'];
const SANDBOX = '../payments-sandbox/test/*.test.ts';
const TESTS = { include: ['src/**/*.test.ts', 'test/**/*.test.ts', SANDBOX] };

const embedded = {
  ...TESTS,
  ...onEngine('embedded'),
  name: 'embedded',
  exclude: [...SLOW, ...LONG],
  // A file's modules are loaded, and its engine is started, once for all files of a worker.
  isolate: false,
};
const postgres = {
  ...TESTS,
  ...onEngine('postgres'),
  name: 'postgres',
  exclude: [...SLOW, ...EMBEDDED_ONLY, ...ENGINE_INDEPENDENT, ...RACED_ON_POSTGRES],
  isolate: false,
};

/** Tests whose own statements Citus can't run. */
const NOT_ON_CITUS = [
  // They move times of rows, which Citus refuses to compute for each row.
  'src/features/notifications/digest/**',
  // It looks at the plan on the coordinator, which has no rows.
  'src/features/memory/vector-index.test.ts',
];
const citus = {
  ...postgres,
  ...onEngine('citus'),
  name: 'citus',
  exclude: [...SLOW, ...EMBEDDED_ONLY, ...ENGINE_INDEPENDENT, ...NOT_ON_CITUS],
};

function projects() {
  if (ON_CITUS) return [citus];
  return HAS_POSTGRES ? [embedded, postgres] : [embedded];
}

export default defineConfig({
  test: {
    // Half of the time a file waits for a socket or a process: more workers than spare cores keep them busy.
    maxWorkers: 3,
    projects: projects().map((test) => ({ test })),
  },
});
