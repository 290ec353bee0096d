import { afterAll, vi } from 'vitest';

/** Files share their process, and each begins with it as it was. */
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetConfig();
});
