import { beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../src/db/types.ts';
import { createTestOrg, type TestOrg } from '../factories.ts';
import { useTestServer } from './use-test-server.ts';

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

type Options = Parameters<typeof useTestServer>[0];

/** A server with an org, for the tests of a file or `describe`. */
export function useServerWithOrg(options?: Options) {
  return withServer(useTestOrg, options);
}

/** The same, with a new org for each test. */
export function useServerWithNewOrgs(options?: Options) {
  return withServer(useNewOrg, options);
}

function withServer(useOrg: typeof useTestOrg, options: Options) {
  const server = useTestServer(options);
  return { server, call: server.call, send: server.send, org: useOrg(() => server.db) };
}
