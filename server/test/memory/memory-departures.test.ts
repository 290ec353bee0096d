import { beforeAll, describe, expect, it } from 'vitest';
import { createMember } from '../../src/features/identity/service.ts';
import { purgeMemories } from '../../src/features/memory/store.ts';
import { invitationToken } from '../../src/features/org/invitation-mail-job.ts';
import {
  addPerson,
  createTestOrg,
  keyWithScopes,
  type Person,
  type TestOrg,
} from '../harness/factories.ts';
import { readStatistics } from '../harness/models/memory-statistics.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();
const { call } = server;
let org: TestOrg;

beforeAll(async () => {
  org = await createTestOrg(server.db);
});

async function create(key: string, visibility: string): Promise<string> {
  const body = { content: `A ${visibility} echidna.`, visibility };
  return (await call('POST', '/api/memory', { key, body })).json.data.id;
}

const leave = ({ userId }: Person) =>
  call('DELETE', `/api/org/${org.orgId}/members/${userId}`, { key: org.owner.key });
const read = (id: string, key: string) => call('GET', `/api/memory/${id}`, { key });
const newKey = async ({ userId }: Person) =>
  (await keyWithScopes(server.db, org.orgId, userId, ['memory:read', 'memory:write'])).key;

/** As if this many days had passed since somebody left. */
async function setDeparture({ userId }: Person, days: number): Promise<void> {
  await server.db.query(
    `UPDATE departures SET left_at = now() - make_interval(days => $3)
     WHERE org_id = $1 AND user_id = $2`,
    [org.orgId, userId, days],
  );
}

async function leaver(): Promise<Person & { own: string; shared: string }> {
  const person = await addPerson(server.db, org.orgId, 'MEMBER');
  const own = await create(person.key, 'PRIVATE');
  const shared = await create(person.key, 'ORG');
  const deleted = await create(person.key, 'PRIVATE');
  await call('DELETE', `/api/memory/${deleted}`, { key: person.key });
  expect((await leave(person)).status).toBe(204);
  return { ...person, own, shared };
}

const rowsOf = async ({ userId }: Person) => {
  const counts: Record<string, number> = {};
  for (const table of ['memories', 'memory_terms', 'memory_scopes', 'deleted_memories']) {
    const rows = await server.db.query(`SELECT 1 AS row FROM ${table} WHERE scope = $1`, [userId]);
    counts[table] = rows.length;
  }
  return counts;
};

describe('of somebody who left', () => {
  it('PRIVATE memories are visible to nobody, shared ones stay', async () => {
    const person = await leaver();
    expect((await read(person.own, person.key)).status).toBe(401);
    for (const { key } of [org.owner, org.admin, org.member]) {
      expect((await read(person.own, key)).status).toBe(404);
      expect((await read(person.shared, key)).json.data.ownerUserId).toBe(person.userId);
      const options = { key, body: { query: 'echidna', limit: 100 } };
      const { text } = await call('POST', '/api/memory/search', options);
      expect([text.includes(person.own), text.includes(person.shared)]).toEqual([false, true]);
    }
  });

  it('PRIVATE memories are erased after 30 days, and not before', async () => {
    const [early, late] = [await leaver(), await leaver()];
    await setDeparture(early, 29);
    await setDeparture(late, 31);
    expect(await purgeMemories(server.db)).toBe(1);
    expect(await rowsOf(early)).toMatchObject({ memories: 1, memory_scopes: 1 });
    expect(await rowsOf(late)).toEqual({
      memories: 0,
      memory_terms: 0,
      memory_scopes: 0,
      deleted_memories: 0,
    });
    expect((await read(late.shared, org.owner.key)).status).toBe(200);
    expect(await purgeMemories(server.db)).toBe(0);
    const { kept, counted } = await readStatistics(server.db, org.orgId);
    expect(kept).toEqual(counted);
  });
});

describe('of somebody who returns in time', () => {
  it('PRIVATE memories are visible again, and stay, by invitation', async () => {
    const person = await leaver();
    await setDeparture(person, 29);
    const home = await createTestOrg(server.db);
    await createMember(server.db, home.orgId, { email: person.email, role: 'MEMBER' });
    const { key } = await keyWithScopes(server.db, home.orgId, person.userId, ['memory:read']);
    const invited = await call('POST', `/api/org/${org.orgId}/invitations`, {
      key: org.owner.key,
      body: { email: person.email, role: 'MEMBER' },
    });
    const token = invitationToken(server.tokens, invited.json.data.id, 1);
    expect((await call('POST', `/api/invitations/${token}/accept`, { key })).status).toBe(200);
    await setDeparture(person, 31);
    expect(await purgeMemories(server.db)).toBe(0);
    expect((await read(person.own, await newKey(person))).status).toBe(200);
  });

  it('the same through the command line; leaving again restarts the 30 days', async () => {
    const person = await leaver();
    await setDeparture(person, 29);
    await createMember(server.db, org.orgId, { email: person.email, role: 'MEMBER' });
    await setDeparture(person, 31);
    expect(await purgeMemories(server.db)).toBe(0);
    expect((await read(person.own, await newKey(person))).status).toBe(200);
    await leave(person);
    expect(await purgeMemories(server.db)).toBe(0);
    expect(await rowsOf(person)).toMatchObject({ memories: 1 });
    await setDeparture(person, 31);
    expect(await purgeMemories(server.db)).toBe(1);
  });
});
