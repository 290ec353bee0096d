import { defineConfig } from 'vitest/config';

/** Several server processes, killed and raced, on PostgreSQL and Redis. Slow, and one file at a time. */
export default defineConfig({
  test: {
    include: ['test/race/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    env: { TEST_ENGINE: 'postgres' },
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
