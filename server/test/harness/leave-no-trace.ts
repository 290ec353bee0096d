import { afterAll, expect, vi } from 'vitest';
import { writeStatements } from './databases/recorded-statements.ts';
import { takeProblems } from './databases/tenant-statements.ts';

/** Test files share a process, so each one restores it. */
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetConfig();
});

/** What the servers of this file sent runs on one shard of Citus, and reads one org. */
afterAll(() => {
  writeStatements();
  expect(takeProblems()).toEqual([]);
});
