import { defineConfig } from 'vitest/config';

/** On Citus, those that ask whether what spans processes and nodes stays whole. */
const ON_CITUS = process.env['TEST_CITUS'] === '1';
const CITUS_TESTS = ['agents', 'commits', 'idempotency', 'jobs'].map(
  (name) => `test/race/${name}.test.ts`,
);

/** Several server processes, killed and raced, on PostgreSQL and Redis. A file waits for two thirds of its time. */
export default defineConfig({
  test: {
    include: ON_CITUS ? CITUS_TESTS : ['test/race/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    env: { TEST_ENGINE: ON_CITUS ? 'citus' : 'postgres' },
    setupFiles: ['test/harness/leave-no-trace.ts'],
    maxWorkers: 3,
    // The modules are loaded once for all files of a worker.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
