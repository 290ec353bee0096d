import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/app/api.ts';
import { dropResponses } from '../../src/http/idempotency/store.ts';
import type { Reply } from '../harness/clients/client.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../harness/factories.ts';
import { noiseFrom, randomFrom } from '../harness/random.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();
const { call } = server;
const random = randomFrom(34);
let org: TestOrg;
let writer: Person;
let project: { id: string; slug: string };

beforeAll(async () => {
  org = await createTestOrg(server.db);
});
beforeEach(async () => {
  writer = await addPerson(server.db, org.orgId, 'MEMBER');
  const name = `Closed ${randomUUID()}`;
  project = (await asOwner('POST', '/projects', { name, access: 'MEMBERS' })).json.data;
  await addWriter();
});

const asOwner = (method: string, path: string, body?: object) =>
  call(method, `/api${path}`, { key: org.owner.key, body });
const membership = () => `/projects/${project.id}/members/${writer.userId}`;
const addWriter = () => asOwner('PUT', membership());
const removeWriter = () => asOwner('DELETE', membership());

/** A request of the writer that can be sent again. */
function writing(path: string, body: object = {}) {
  const headers = { 'idempotency-key': randomUUID() };
  return () => call('POST', `/api${path}`, { key: writer.key, body, headers });
}

const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';
const reasonOf = ({ json }: Reply) => json.error?.details.reason;

async function openSession(more: object = {}): Promise<string> {
  const path = `/spaces/${project.slug}/sessions`;
  return `${path}/${(await asOwner('POST', path, { name: 'S', ...more })).json.data.id}`;
}

/** Each POST whose response shows something of a Project. */
const inProject: [string, () => Promise<ReturnType<typeof writing>>][] = [
  ['a session', async () => writing(`/spaces/${project.slug}/sessions`, { name: 'Mine' })],
  ['a message', async () => writing(`${await openSession()}/messages`, { body: 'Hello' })],
  [
    'a reaction',
    async () => {
      const post = await asOwner('POST', `${await openSession()}/messages`, { body: 'Hello' });
      const path = `/spaces/${project.slug}/messages/${post.json.data.id}/reactions`;
      return writing(path, { emoji: '🎉' });
    },
  ],
  ['a task', async () => writing(`/projects/${project.id}/tasks`, { title: 'Mine' })],
  [
    'a restored task',
    async () => {
      const task = await asOwner('POST', `/projects/${project.id}/tasks`, { title: 'Old' });
      const path = `/projects/${project.id}/tasks/${task.json.data.id}`;
      await asOwner('DELETE', path);
      return writing(`${path}/restore`);
    },
  ],
  [
    'decided proposals',
    async () => {
      const body = { title: 'Proposed', status: 'PROPOSED' };
      const task = await asOwner('POST', `/projects/${project.id}/tasks`, body);
      return writing(`/projects/${project.id}/tasks/proposals`, { accept: [task.json.data.id] });
    },
  ],
  ['a memory', async () => writing('/memory', memoryIn())],
  ['memories', async () => writing('/memory/batch', { items: [memoryIn()] })],
];
const memoryIn = () => ({ content: 'Ours', visibility: 'PROJECT', projectId: project.id });

describe('a write that is sent again', () => {
  it.each(inProject)('403: %s, after the caller was removed from the Project', async (_, make) => {
    const send = await make();
    const first = await send();
    expect([200, 201]).toContain(first.status);
    expect((await send()).text).toBe(first.text);
    await removeWriter();
    const refused = await send();
    expect([refused.status, reasonOf(refused)]).toEqual([403, 'not_project_member']);
    expect(isReplay(refused)).toBe(false);
    await addWriter();
    expect((await send()).text).toBe(first.text);
  });

  it('404: an agent, after the caller was removed from its Project', async () => {
    const slug = `a${randomUUID().slice(0, 8)}`;
    const agent = { slug, name: 'A', instructions: 'Be brief.', projectIds: [project.id] };
    const send = writing('/agents', agent);
    const first = await send();
    expect(first.status).toBe(201);
    await removeWriter();
    expect((await send()).status).toBe(404);
    await addWriter();
    expect((await send()).text).toBe(first.text);
  });

  it('404: in a private session that the caller is no longer in', async () => {
    const everyone = [writer.userId, org.owner.userId];
    const more = { access: 'PARTICIPANTS', participantUserIds: everyone };
    const session = await openSession(more);
    const post = writing(`${session}/messages`, { body: 'Hello' });
    const open = writing(`/spaces/${project.slug}/sessions`, { name: 'Mine', ...more });
    expect((await post()).status).toBe(201);
    const own = (await open()).json.data.id;
    for (const path of [session, `/spaces/${project.slug}/sessions/${own}`]) {
      const left = await asOwner('PATCH', path, { participantUserIds: [org.owner.userId] });
      expect(left.status).toBe(200);
    }
    expect((await post()).status).toBe(404);
    expect((await open()).status).toBe(404);
  });

  it("replays a caller's own message, also after it was deleted", async () => {
    const send = writing(`${await openSession()}/messages`, { body: 'My words' });
    const first = await send();
    await asOwner('DELETE', `/spaces/${project.slug}/messages/${first.json.data.id}`);
    expect((await send()).text).toBe(first.text);
  });

  it('409: an invitation that was accepted, after the caller left that organisation', async () => {
    const other = await createTestOrg(server.db);
    const invited = await call('POST', `/api/org/${other.orgId}/invitations`, {
      key: other.owner.key,
      body: { email: writer.email, role: 'MEMBER' },
    });
    const link = await call(
      'GET',
      `/api/org/${other.orgId}/invitations/${invited.json.data.id}/link`,
      { key: other.owner.key },
    );
    const accept = writing(`/invitations/${link.json.data.url.split('/').at(-1)}/accept`);
    const first = await accept();
    expect([first.status, (await accept()).text]).toEqual([200, first.text]);
    await call('DELETE', `/api/org/${other.orgId}/members/${writer.userId}`, {
      key: other.owner.key,
    });
    const again = await accept();
    expect([again.status, reasonOf(again)]).toEqual([409, 'idempotency_response_dropped']);
  });

  it('409: its response is no longer kept, and it is not carried out again', async () => {
    const session = await openSession();
    const send = writing(`${session}/messages`, { body: 'x'.repeat(20_000) });
    const large = writing(`${session}/messages`, { body: noiseFrom(random, 5_000) });
    expect([(await send()).status, (await large()).status]).toEqual([201, 201]);
    await dropResponses(server.db, { orgId: org.orgId, callerId: writer.keyId }, 0);
    // Small ones are not counted, and stay.
    expect(isReplay(await send())).toBe(true);
    const again = await large();
    expect([again.status, reasonOf(again)]).toEqual([409, 'idempotency_response_dropped']);
    const listed = await asOwner('GET', `${session}/messages`);
    expect(listed.json.data.total).toBe(2);
  });
});

describe('what is kept of writes', () => {
  /** Rows that count as much as they say, oldest first. */
  async function keep(bytes: number, isRead: boolean, minutesAgo: number): Promise<string> {
    const name = randomUUID();
    await server.db.query(
      `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, status, sealed_response,
         is_read, caller_id, counted_bytes, created_at)
       VALUES ($1, $2, $2, 'c', 200, $2, $3, $4, $5, now() - make_interval(mins => $6))`,
      [org.orgId, Buffer.from(name), isRead, writer.keyId, bytes, minutesAgo],
    );
    return name;
  }

  async function kept(): Promise<string[]> {
    const rows = await server.db.query<{ name: string }>(
      `SELECT convert_from(scope_hash, 'UTF8') AS name FROM idempotency_keys
       WHERE org_id = $1 AND caller_id = $2 AND counted_bytes IS NOT NULL AND claim_id = 'c'
       ORDER BY created_at`,
      [org.orgId, writer.keyId],
    );
    return rows.map(({ name }) => name);
  }

  const MIB = 1024 * 1024;

  it('stays below 64 MiB a caller: searches go first, then the oldest writes', async () => {
    const session = await openSession();
    const post = async () => {
      const send = writing(`${session}/messages`, { body: noiseFrom(random, 20_000) });
      expect((await send()).status).toBe(201);
      expect(isReplay(await send())).toBe(true);
    };
    const oldest = await keep(10 * MIB, false, 50);
    await keep(30 * MIB, true, 10);
    const newer = await keep(24 * MIB, false, 40);
    await post();
    expect(await kept()).toEqual([oldest, newer]);
    const newest = await keep(30 * MIB, false, 5);
    // What this process was granted before is used up first: 1 MiB, of which each takes about 50 KB.
    for (let at = 0; at < 25; at++) await post();
    expect(await kept()).toEqual([newer, newest]);
  });
});

describe('every POST', () => {
  const posts = ROUTES.filter(({ method }) => method === 'POST');

  it('says whether its response may be replayed', () => {
    expect(posts.filter(({ mayReplay }) => mayReplay === undefined)).toEqual([]);
  });

  it('checks more than admission does if its path names a Project, a session or a message', () => {
    const inPlaces = posts.filter(({ path }) =>
      /\{(slug|projectId|sessionId|messageId)\}/.test(path),
    );
    expect(inPlaces.length).toBeGreaterThan(10);
    const unchecked = inPlaces.filter(({ mayReplay }) => typeof mayReplay !== 'function');
    expect(unchecked.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('checks what it shows if it only reads', () => {
    const searches = posts.filter(({ limit }) => limit === 'read');
    expect(searches.map(({ operationId }) => operationId)).toHaveLength(4);
    expect(searches.filter(({ mayReplay }) => typeof mayReplay !== 'function')).toEqual([]);
  });
});
