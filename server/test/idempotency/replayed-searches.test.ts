import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCaller, type Reply } from '../harness/clients/client.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../harness/factories.ts';
import { startTestServer } from '../harness/processes/server.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();
const { call } = server;
let org: TestOrg;
/** Belongs to the Project until a test removes them. */
let reader: Person;
let project: { id: string; slug: string };

beforeAll(async () => {
  org = await createTestOrg(server.db);
});
beforeEach(async () => {
  reader = await addPerson(server.db, org.orgId, 'MEMBER');
  const name = `Closed ${randomUUID()}`;
  project = (await asOwner('POST', '/projects', { name, access: 'MEMBERS' })).json.data;
  await asOwner('PUT', `/projects/${project.id}/members/${reader.userId}`);
});

const asOwner = (method: string, path: string, body?: object) =>
  call(method, `/api${path}`, { key: org.owner.key, body });

const removeReader = () => asOwner('DELETE', `/projects/${project.id}/members/${reader.userId}`);

/** Searches with this key, which names the request. */
function searching(path: string, body: object, key = reader.key) {
  const headers = { 'idempotency-key': randomUUID() };
  return (other = body) => call('POST', path, { key, body: other, headers });
}

const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';
const reasonOf = ({ json }: Reply) => json.error.details.reason;
const idsIn = ({ json }: Reply): string[] =>
  json.data.items.map(
    (item: { id?: string; message?: { id: string } }) => item.id ?? item.message?.id,
  );

async function openSession(access: 'PROJECT' | 'PARTICIPANTS' = 'PROJECT') {
  const path = `/spaces/${project.slug}/sessions`;
  const body = { name: 'S', access, participantUserIds: [reader.userId] };
  const { id } = (await asOwner('POST', path, body)).json.data;
  const post = async (text: string): Promise<string> =>
    (await asOwner('POST', `${path}/${id}/messages`, { body: text })).json.data.id;
  return { path: `${path}/${id}`, post };
}

const messagePath = (id: string) => `/spaces/${project.slug}/messages/${id}`;

async function remember(content: string, more: object = {}): Promise<string> {
  const body = { content, visibility: 'PROJECT', projectId: project.id, ...more };
  return (await asOwner('POST', '/memory', body)).json.data.id;
}

/** A word that nothing else in the org contains. */
const newWord = () => `w${randomUUID().replaceAll('-', '')}`;

describe('a search that is sent again', () => {
  it('is replayed byte for byte although more would be found by now', async () => {
    const { post } = await openSession();
    for (const path of ['/api/messages/search', '/api/memory/search']) {
      const word = newWord();
      await post(`${word} first`);
      await remember(`${word} first`);
      const search = searching(path, { query: word });
      const first = await search();
      expect([first.status, isReplay(first)]).toEqual([200, false]);
      expect(first.text).toContain(`${word} first`);
      await post(`${word} second`);
      await remember(`${word} second`);
      const again = await search();
      expect(isReplay(again)).toBe(true);
      expect(again.text).toBe(first.text);
      expect(reasonOf(await search({ query: 'other' }))).toBe('idempotency_key_reused');
    }
  });

  it('is replayed for a v1 key, until what it shows is deleted', async () => {
    const word = newWord();
    const id = await remember(word);
    const search = searching('/api/v1/memories/search', { query: word }, org.orgKey);
    const first = await search();
    expect(idsIn(first)).toContain(id);
    expect((await search()).text).toBe(first.text);
    await asOwner('DELETE', `/memory/${id}`);
    const again = await search();
    expect(isReplay(again)).toBe(false);
    expect(idsIn(again)).not.toContain(id);
  });

  type Change = (ids: { message: string; memory: string }) => Promise<unknown>;
  const ofMessages: [string, Change][] = [
    ['the caller was removed from the Project', removeReader],
    ['the message was deleted', ({ message }) => asOwner('DELETE', messagePath(message))],
    [
      'the message was edited',
      ({ message }) => asOwner('PATCH', messagePath(message), { body: 'Taken back.' }),
    ],
  ];
  it.each(ofMessages)('is run again for messages if %s', async (_title, change) => {
    const word = newWord();
    const { post } = await openSession();
    const message = await post(`${word} is secret`);
    const search = searching('/api/messages/search', { query: word });
    expect(idsIn(await search())).toEqual([message]);
    await change({ message, memory: '' });
    const again = await search();
    expect([again.status, isReplay(again)]).toEqual([200, false]);
    expect(again.text).not.toContain('is secret');
  });

  it('is run again for messages if the caller has left the private session', async () => {
    const word = newWord();
    const { path, post } = await openSession('PARTICIPANTS');
    const id = await post(word);
    const search = searching('/api/messages/search', { query: word });
    expect(idsIn(await search())).toEqual([id]);
    await asOwner('PATCH', path, { participantUserIds: [org.owner.userId] });
    const again = await search();
    expect([isReplay(again), idsIn(again)]).toEqual([false, []]);
  });

  const ofMemories: [string, Change][] = [
    ['the caller was removed from the Project', removeReader],
    ['the memory was deleted', ({ memory }) => asOwner('DELETE', `/memory/${memory}`)],
    [
      'the memory was changed',
      ({ memory }) => asOwner('PATCH', `/memory/${memory}`, { content: 'Taken back.' }),
    ],
    [
      'the memory was made PRIVATE',
      ({ memory }) =>
        asOwner('PATCH', `/memory/${memory}`, { visibility: 'PRIVATE', projectId: null }),
    ],
  ];
  it.each(ofMemories)('is run again for memories if %s', async (_title, change) => {
    const word = newWord();
    const memory = await remember(`${word} is secret`);
    const search = searching('/api/memory/search', { query: word });
    expect(idsIn(await search())).toEqual([memory]);
    await change({ message: '', memory });
    const again = await search();
    expect([again.status, isReplay(again)]).toEqual([200, false]);
    expect(again.text).not.toContain('is secret');
  });

  it('403: in a Project that the caller was removed from, although nothing was found', async () => {
    for (const path of ['/api/messages/search', '/api/memory/search']) {
      const search = searching(path, { query: newWord(), projectId: project.id });
      expect(idsIn(await search())).toEqual([]);
      await removeReader();
      expect(reasonOf(await search())).toBe('not_project_member');
      await asOwner('PUT', `/projects/${project.id}/members/${reader.userId}`);
      expect(isReplay(await search())).toBe(true);
    }
  });

  it('replays a 404', async () => {
    const projectId = 'caaaaaaaaaaaaaaaaaaaaaaaa';
    const search = searching('/api/memory/search', { query: 'x', projectId });
    const first = await search();
    expect(first.status).toBe(404);
    expect((await search()).text).toBe(first.text);
  });

  it('gets one response from two processes, whichever was first', async () => {
    const word = newWord();
    await remember(word);
    const shared = { db: server.db, url: undefined, drop: async () => {} };
    const other = await startTestServer({ shared });
    const headers = { 'idempotency-key': randomUUID() };
    const search = (origin: string) =>
      createCaller(origin)('POST', '/api/memory/search', {
        key: reader.key,
        body: { query: word },
        headers,
      });
    const origins = [server.origin, other.origin, server.origin, other.origin];
    const replies = await Promise.all(origins.map(search));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(isReplay)).toHaveLength(3);
    await other.stop();
  });

  it('gets the response of the first if both are sent at once', async () => {
    const word = newWord();
    await remember(word);
    const search = searching('/api/memory/search', { query: word });
    const replies = await Promise.all(Array.from({ length: 10 }, () => search()));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(isReplay)).toHaveLength(9);
  });
});

describe('what is kept of searches', () => {
  async function storedBytes(): Promise<number> {
    const [row] = await server.db.query<{ bytes: number }>(
      `SELECT coalesce(sum(octet_length(sealed_response)), 0)::bigint AS bytes FROM idempotency_keys
       WHERE org_id = $1`,
      [org.orgId],
    );
    return row?.bytes ?? 0;
  }

  it('is compressed, and replayed byte for byte', async () => {
    const word = newWord();
    const { post } = await openSession();
    await post(`${word} ${'We talked about this. '.repeat(900)}`);
    const before = await storedBytes();
    const search = searching('/api/messages/search', { query: word });
    const first = await search();
    expect((await storedBytes()) - before).toBeLessThan(first.text.length / 5);
    const again = await search();
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
  });

  it('is nothing more once 64 MiB are kept for the caller', async () => {
    const word = newWord();
    await remember(word);
    await server.db.query(
      `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, status, sealed_response,
         caller_id, counted_bytes)
       VALUES ($1, $2, $2, 'c', 200, $2, $3, 64 * 1024 * 1024)`,
      [org.orgId, Buffer.from(randomUUID()), reader.keyId],
    );
    const before = await storedBytes();
    const search = searching('/api/memory/search', { query: word });
    expect((await search()).status).toBe(200);
    expect((await storedBytes()) - before).toBe(0);
    const again = await search();
    expect([again.status, isReplay(again)]).toEqual([200, false]);
    expect(reasonOf(await search({ query: 'other' }))).toBe('idempotency_key_reused');
    // Another caller has room of their own.
    const others = searching('/api/memory/search', { query: word }, org.owner.key);
    await others();
    expect(isReplay(await others())).toBe(true);
  });
});
