import { defineConfig } from 'vitest/config';

/** Several server processes, killed and raced, on PostgreSQL and Redis. Slow: two files at a time, as they often wait. */
export default defineConfig({
  test: {
    include: ['test/race/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    env: { TEST_ENGINE: 'postgres' },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
