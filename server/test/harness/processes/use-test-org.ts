import { beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../src/db/types.ts';
import { createTestOrg, type TestOrg } from '../factories.ts';

/** An org for the tests of a file or `describe`. Its fields exist only in hooks and tests. */
export function useTestOrg(db: () => Database): TestOrg {
  const org = {} as TestOrg;
  beforeAll(async () => void Object.assign(org, await createTestOrg(db())));
  return org;
}

/** A new org for each test. */
export function useNewOrg(db: () => Database): TestOrg {
  const org = {} as TestOrg;
  beforeEach(async () => void Object.assign(org, await createTestOrg(db())));
  return org;
}
