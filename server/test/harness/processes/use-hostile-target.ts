import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createTestOrg, type TestOrg } from '../factories.ts';
import { useTestServer, type UsedTestServer } from './use-test-server.ts';

export interface HostileTarget {
  server: UsedTestServer;
  readonly org: TestOrg;
  /** The number of rows that a request could add. */
  countRows(): Promise<number>;
  /** Nothing was written since the test began. */
  expectNothingStored(): Promise<void>;
}

/** A server for tests of hostile requests. After each test it must still answer a normal one. */
export function useHostileTarget(): HostileTarget {
  const server = useTestServer();
  let org: TestOrg;
  let rowsBefore: number;

  async function countRows(): Promise<number> {
    const [row] = await server.db.query<{ count: string }>(
      `SELECT (SELECT count(*) FROM projects) + (SELECT count(*) FROM api_keys) +
         (SELECT count(*) FROM idempotency_keys) AS count`,
    );
    return Number(row?.count);
  }

  beforeAll(async () => {
    org = await createTestOrg(server.db);
  });
  beforeEach(async () => {
    rowsBefore = await countRows();
  });
  afterEach(async () => {
    const reply = await server.call('GET', '/api/projects', { key: org.member.key });
    expect(reply.status, 'a normal request afterwards').toBe(200);
  });

  return {
    server,
    get org() {
      return org;
    },
    countRows,
    async expectNothingStored() {
      expect(await countRows()).toBe(rowsBefore);
    },
  };
}
