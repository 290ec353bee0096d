import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCaller, type Call, type Reply } from '../harness/clients/client.ts';
import {
  createTestDatabase,
  SHOWS_WAITS,
  type TestDatabase,
} from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { readStatistics } from '../harness/models/memory-statistics.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

/** Two servers on one database: on PostgreSQL, requests truly run at the same time. */
let shared: TestDatabase;
let servers: TestServer[];
let calls: Call[];
let org: TestOrg;
let project: string;

// Two engines and a model share few cores in CI.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  shared = await createTestDatabase();
  servers = [await startTestServer({ shared }), await startTestServer({ shared })];
  calls = servers.map(({ origin }) => createCaller(origin));
  org = await createTestOrg(shared.db);
  const body = { name: 'Busy' };
  project = (await anyCall(0)('POST', '/api/projects', { key: org.owner.key, body })).json.data.id;
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await shared.drop();
});

const anyCall = (at: number): Call => calls[at % 2] as Call;
const WORDS = ['apple', 'bread', 'cheese', 'dill', 'egg', 'fig', 'grape'];

/** The same words in a different order each time, so that locking term by term would deadlock. */
function contentOf(at: number): string {
  return [...WORDS.slice(at % 7), ...WORDS.slice(0, at % 7)].join(' ');
}

const places = () => [
  { visibility: 'ORG', projectId: null },
  { visibility: 'PROJECT', projectId: project },
  { visibility: 'PRIVATE', projectId: null },
];

function create(at: number, place: object): Promise<Reply> {
  const body = { content: contentOf(at), ...place };
  return anyCall(at)('POST', '/api/memory', { key: org.owner.key, body });
}

const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

function statusesOf(replies: readonly Reply[]): number[] {
  return [...new Set(replies.map(({ status }) => status))].toSorted((a, b) => a - b);
}

async function expectExactStatistics(): Promise<void> {
  const { kept, counted } = await readStatistics(shared.db, org.orgId);
  expect(kept).toEqual(counted);
}

describe('memories of one scope', () => {
  it('50 created at once are all counted', async () => {
    const replies = await times(50, (at) => create(at, { visibility: 'ORG' }));
    expect(statusesOf(replies)).toEqual([201]);
    await expectExactStatistics();
  });

  it('50 moved back and forth between scopes at once, each twice, do not deadlock', async () => {
    const made = await times(25, (at) => create(at, places()[at % 3] ?? {}));
    const replies = await times(50, (at) => {
      const path = `/api/memory/${made[at % 25]?.json.data.id}`;
      const body = { ...places()[(at + 1 + Math.floor(at / 25)) % 3], content: contentOf(at + 3) };
      return anyCall(at)('PATCH', path, { key: org.owner.key, body });
    });
    expect(statusesOf(replies)).toEqual([200]);
    await expectExactStatistics();
  });

  it('created, changed and deleted all at once are counted once each', async () => {
    const made = await times(20, (at) => create(at, places()[at % 3] ?? {}));
    const replies = await times(60, (at) => {
      const options = { key: org.owner.key };
      const path = `/api/memory/${made[at % 20]?.json.data.id}`;
      if (at % 3 === 0) return create(at, places()[at % 2] ?? {});
      if (at % 3 === 1) return anyCall(at)('DELETE', path, options);
      return anyCall(at)('PATCH', path, { ...options, body: { content: contentOf(at + 1) } });
    });
    expect(statusesOf(replies).filter((status) => ![200, 201, 204, 404].includes(status))).toEqual(
      [],
    );
    await expectExactStatistics();
  });

  it('one deleted 20 times at once is deleted once', async () => {
    const { id } = (await create(0, { visibility: 'ORG' })).json.data;
    const replies = await times(20, (at) =>
      anyCall(at)('DELETE', `/api/memory/${id}`, { key: org.owner.key }),
    );
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(statusesOf(replies)).toEqual([204, 404]);
    await expectExactStatistics();
  });

  it.runIf(SHOWS_WAITS)('two that swap scopes wait for each other, in either order', async () => {
    const [inOrg, inProject] = places();
    const [first, second] = [await create(0, inOrg ?? {}), await create(1, inProject ?? {})];
    const move = ({ json }: Reply, body: object | undefined) =>
      anyCall(0)('PATCH', `/api/memory/${json.data.id}`, { key: org.owner.key, body });
    const { moves } = await shared.db.transaction(async (tx) => {
      await tx.query(
        `SELECT 1 AS held FROM memory_scopes WHERE org_id = $1 AND scope = 'ORG' FOR UPDATE`,
        [org.orgId],
      );
      const out = move(first, inProject);
      await untilWaiting(1);
      const moves = [out, move(second, inOrg)];
      await untilWaiting(2);
      return { moves };
    });
    expect(statusesOf(await Promise.all(moves))).toEqual([200]);
    await expectExactStatistics();
  });
});

/** Resolves when this many statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = await shared.db.query(
        `SELECT 1 AS found FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(count);
    },
    { timeout: 30_000 },
  );
}
