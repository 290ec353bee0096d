import { defineConfig } from 'vitest/config';

/** The whole suite runs on the embedded engine and, where a PostgreSQL is there, on it too. */
const engines = process.env['TEST_DATABASE_URL'] ? ['embedded', 'postgres'] : ['embedded'];

export default defineConfig({
  test: {
    projects: engines.map((engine) => ({
      test: {
        name: engine,
        include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
        exclude: ['test/race/**'],
        globalSetup: ['test/harness/global-setup.ts'],
        env: { TEST_ENGINE: engine, LOG_LEVEL: 'silent' },
        testTimeout: 20_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
