import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/engines/postgres.ts';
import type { Database } from '../../src/db/types.ts';
import { brokenPromises, checkLocks } from '../harness/counting/check-locks.ts';
import { createTestDatabase, ENGINE, type TestDatabase } from '../harness/databases/database.ts';
import { ON_CITUS } from '../harness/databases/postgres-servers.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

// The embedded engine has one session, where nobody waits for another's lock, and Citus has no joint commits.
describe.runIf(ENGINE === 'postgres' && !ON_CITUS)('what a statement says about its locks', () => {
  let database: TestDatabase;
  /** For the checks, while all connections of the server may wait for them. */
  let beside: Database;
  afterAll(async () => {
    await beside.close();
    await database.drop();
  });
  const server = useTestServer(async () => {
    database = await createTestDatabase();
    return { shared: database, authorityMaxAgeMs: 600_000 };
  });
  let org: TestOrg;
  let slug: string;
  let sessionIds: string[];
  let handle: string;

  beforeAll(async () => {
    beside = openPostgres({ url: String(database.url), poolMax: 3, onError: () => {} });
    org = await createTestOrg(server.db);
    ({ slug } = await post('/projects', { name: 'Locked' }));
    const sessions = ['One', 'Two', 'Three'].map((name) =>
      post(`/spaces/${slug}/sessions`, { name }),
    );
    sessionIds = (await Promise.all(sessions)).map(({ id }) => id);
    const path = `/api/org/${org.orgId}/members`;
    const members = await server.call('GET', path, { key: org.owner.key });
    handle = members.json.data.items[1].handle;
    await postToEach({});
    await postToEach({});
  });

  async function post(path: string, body: object) {
    const headers = { 'idempotency-key': randomUUID() };
    const reply = await server.call('POST', `/api${path}`, { key: org.owner.key, body, headers });
    expect(reply.status).toBe(201);
    return reply.json.data;
  }

  const messagesIn = (sessionId = '') => `/spaces/${slug}/sessions/${sessionId}/messages`;

  async function postToEach(more: object): Promise<void> {
    for (const id of sessionIds) await post(messagesIn(id), { body: 'Hello', ...more });
  }

  it.each([
    ['a message', () => ({})],
    ['a message that mentions somebody', () => ({ body: `Hello @${handle}` })],
  ])('is true of %s', async (_title, more) => {
    const { packets, problems } = await checkLocks(beside, () => postToEach(more()));
    expect(problems).toEqual([]);
    expect(packets).toBe(sessionIds.length);
  });

  it('is true of the first reply in a thread, and of later ones', async () => {
    const path = messagesIn(sessionIds[0]);
    const { id: parentMessageId } = await post(path, { body: 'First' });
    const { packets, problems } = await checkLocks(beside, async () => {
      for (let nth = 0; nth < 2; nth++) await post(path, { body: 'Reply', parentMessageId });
    });
    expect(problems).toEqual([]);
    expect(packets).toBe(2);
  });

  it('is true of messages that are committed together, whose locks are in order', async () => {
    const all = [...sessionIds, ...sessionIds.toReversed()];
    const { together, problems } = await checkLocks(beside, () =>
      Promise.all(all.map((id) => post(messagesIn(id), { body: 'Together' }))),
    );
    expect(problems).toEqual([]);
    expect(together).toBeGreaterThan(0);
  });

  const raising = (id = '', lock = id) => ({
    text: 'UPDATE sessions SET version = version + 1 WHERE org_id = $1 AND id = $2',
    values: [org.orgId, id],
    lock,
  });
  const counting = (id = '') => ({
    text: 'UPDATE messages SET reply_count = reply_count + 1 WHERE org_id = $1 AND session_id = $2',
    values: [org.orgId, id],
    lock: id,
  });

  it('is found to be false if a lock is not named, or is another one', async () => {
    const [one, two] = sessionIds;
    expect(await brokenPromises(beside, [raising(one)])).toEqual([]);
    for (const lock of ['', two]) {
      const found = await brokenPromises(beside, [raising(one, lock)]);
      expect(found).toEqual([expect.stringContaining(`locks sessions ${one}`)]);
    }
  });

  it('is found to be false if a row of a session is locked before the session', async () => {
    const [id] = sessionIds;
    expect(await brokenPromises(beside, [raising(id), counting(id)])).toEqual([]);
    const [found] = await brokenPromises(beside, [counting(id), raising(id)]);
    expect(found).toContain('locks messages');
  });

  it('is found to be false if locks are out of order', async () => {
    const [low, high] = sessionIds.toSorted();
    expect(await brokenPromises(beside, [raising(low), raising(high)])).toEqual([]);
    expect(await brokenPromises(beside, [raising(high), raising(low)])).toEqual([
      expect.stringContaining(`${low} is locked after ${high}`),
    ]);
  });
});
