import { afterAll, vi } from 'vitest';

/** Test files share a process, so each one restores it. */
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetConfig();
});
