import { defineConfig } from 'vitest/config';

/** What needs no database, or the same code whichever there is, runs once. */
const ENGINE_INDEPENDENT = [
  'src/adapters/**',
  'src/config.test.ts',
  'src/features/agents/model-replies.test.ts',
  'src/features/keys/secret.test.ts',
  'src/features/memory/{search,words}/**',
  'src/features/messages/{emoji,mentions}.test.ts',
  'src/features/org/invitation-mail.test.ts',
  'src/http/json.test.ts',
  'src/jobs/failure.test.ts',
  'test/docs-page.test.ts',
  'test/mcp-{everything,hostile}.test.ts',
  'test/slow-senders.test.ts',
];

/** The suite runs on the embedded engine and, where a PostgreSQL is there, on it too. */
const ENGINES = process.env['TEST_DATABASE_URL'] ? ['embedded', 'postgres'] : ['embedded'];

export default defineConfig({
  test: {
    // Half of the time a file waits for a socket or a process: more workers than spare cores keep them busy.
    maxWorkers: 3,
    projects: ENGINES.map((engine) => ({
      test: {
        name: engine,
        include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
        exclude: ['test/race/**', ...(engine === 'postgres' ? ENGINE_INDEPENDENT : [])],
        globalSetup: ['test/harness/global-setup.ts'],
        env: { TEST_ENGINE: engine, LOG_LEVEL: 'silent' },
        testTimeout: 30_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
