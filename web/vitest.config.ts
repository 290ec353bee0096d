import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { '@atrium/sdk': fileURLToPath(new URL('../sdk-js/src/index.ts', import.meta.url)) };

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        // Long, as it is for what hangs: a busy machine is slow.
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}'],
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'browser',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/harness/global-setup.ts'],
          // The modules are loaded, and a browser is started, once for all files of a worker.
          isolate: false,
          // One more than CI has cores: pages also wait.
          maxWorkers: 3,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
