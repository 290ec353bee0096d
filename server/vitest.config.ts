import { defineConfig } from 'vitest/config';

/**
 * What needs no database, or asks each engine the same by statements that other tests run on both, runs
 * once: on the embedded engine, which is always there.
 */
const ENGINE_INDEPENDENT = [
  'src/adapters/**',
  'src/backup/**',
  'src/config/**',
  'src/durable-file.test.ts',
  'src/features/agents/{model-replies,prompt,window}.test.ts',
  'src/features/billing/plans.test.ts',
  'src/features/exports/**',
  'src/features/keys/secret.test.ts',
  'src/features/memory/{search,words}/**',
  'src/features/messages/{emoji,mentions}.test.ts',
  'src/features/org/invitation-mail.test.ts',
  'src/http/json.test.ts',
  'src/http/large-bodies.test.ts',
  'src/jobs/failure.test.ts',
  'src/logger.test.ts',
  'src/page-cache.test.ts',
  'src/web-app/**',
  'test/agents-{context,lanes}.test.ts',
  'test/command-line.test.ts',
  'test/cookie-callers.test.ts',
  'test/cors.test.ts',
  'test/deploy.test.ts',
  'test/docs-{api,drift,page}.test.ts',
  'test/fairness.test.ts',
  'test/feature-names.test.ts',
  'test/harness/**',
  'test/hostile-*.test.ts',
  'test/invitation-mail.test.ts',
  'test/memory-embedding.test.ts',
  'test/migration-rules.test.ts',
  'test/mcp-{endpoint,endpoint-conformance,everything,hostile,sessions}.test.ts',
  'test/openapi.test.ts',
  'test/properties.test.ts',
  'test/route-access.test.ts',
  'test/session-readers.test.ts',
  '../payments-sandbox/test/{api,pages}.test.ts',
  'test/slow-senders.test.ts',
  'test/web-app.test.ts',
];

/** The engine itself, and where a transaction left open shows at once: it has one connection. */
const EMBEDDED_ONLY = ['src/db/embedded.test.ts', 'test/billing-provider.test.ts'];

/** The suite runs on the embedded engine and, where a PostgreSQL is there, on it too. */
const HAS_POSTGRES = Boolean(process.env['TEST_DATABASE_URL']);

function onEngine(engine: 'embedded' | 'postgres') {
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

const RACE = 'test/race/**';
const SANDBOX = '../payments-sandbox/test/*.test.ts';
const TESTS = { include: ['src/**/*.test.ts', 'test/**/*.test.ts', SANDBOX] };

const embedded = {
  ...TESTS,
  ...onEngine('embedded'),
  name: 'embedded',
  exclude: [RACE],
  // A file's modules are loaded, and its engine is started, once for all files of a worker.
  isolate: false,
};
const postgres = {
  ...TESTS,
  ...onEngine('postgres'),
  name: 'postgres',
  exclude: [RACE, ...EMBEDDED_ONLY, ...ENGINE_INDEPENDENT],
  isolate: false,
};

export default defineConfig({
  test: {
    // Half of the time a file waits for a socket or a process: more workers than spare cores keep them busy.
    maxWorkers: 3,
    projects: [embedded, ...(HAS_POSTGRES ? [postgres] : [])].map((test) => ({ test })),
  },
});
