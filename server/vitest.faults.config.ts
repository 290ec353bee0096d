import { defineConfig } from 'vitest/config';

/** An installation, to which one thing after another happens. About four minutes. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
