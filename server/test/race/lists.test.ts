import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import type { Reply } from '../harness/clients/client.ts';
import { addPerson, createTestOrg, type Person } from '../harness/factories.ts';
import { readFreshPage } from '../harness/clients/fresh-page.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';

const PROCESSES = 3;
const ROUNDS = 25;
const WRITERS = 6;
const READERS = 6;
const LIMIT = 20;
const EMOJIS = ['👍', '🎉', '🚀'];

let shared: Shared;
let servers: ServerProcess[];
let people: Person[];

beforeAll(async () => {
  shared = await createShared();
  servers = await startServers(PROCESSES, { DATABASE_URL: shared.url });
  const { orgId, owner } = shared.org;
  people = [owner];
  for (let made = 1; made < WRITERS; made++) {
    people.push(await addPerson(shared.db, orgId, 'MEMBER'));
  }
});
afterAll(async () => {
  await killAll();
  await shared.drop();
});

const any = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;
const server = () => any(servers);
const fresh = (sessionId: string) => readFreshPage(shared.db, shared.org.orgId, sessionId, LIMIT);

async function openSession(name: string, access = 'ORG', session: object = {}) {
  const { key } = shared.org.owner;
  const made = await server().call('POST', '/api/projects', { key, body: { name, access } });
  const { slug, id: projectId } = made.json.data;
  const space = `/api/spaces/${slug}`;
  const body = { name, ...session };
  const opened = await server().call('POST', `${space}/sessions`, { key, body });
  const sessionId: string = opened.json.data.id;
  const messages = `${space}/sessions/${sessionId}/messages`;
  return { space, projectId, sessionId, messages, list: `${messages}?limit=${LIMIT}` };
}

/** One write of any kind by this person, on any process, to a message that the page shows. */
async function write(room: Awaited<ReturnType<typeof openSession>>, { key }: Person) {
  const call = (method: string, path: string, body?: object) =>
    server().call(method, path, { key, ...(body && { body }) });
  const { items } = (await fresh(room.sessionId)).data;
  const target = items.length > 0 ? any(items) : undefined;
  const path = `${room.space}/messages/${target?.id}`;
  const emoji = any(EMOJIS);
  const kinds: (() => Promise<Reply>)[] = [
    () => call('POST', room.messages, { body: `message ${Math.random()}` }),
    // It is answered at once, so the reply lands while others write.
    () => call('POST', room.messages, { body: '@recall anything?' }),
    () => call('POST', room.messages, { body: 'reply', parentMessageId: threadOf(target) }),
    () => call('PATCH', path, { body: `edit ${Math.random()}` }),
    () => call('POST', `${path}/reactions`, { emoji }),
    () => call('POST', `${path}/reactions`, { emoji }),
    () => call('DELETE', `${path}/reactions/${encodeURIComponent(emoji)}`),
    () => call('DELETE', path),
  ];
  const reply = await (target ? any(kinds) : kinds[0])?.();
  // Others may have deleted it meanwhile, or written it.
  expect([200, 201, 204, 403, 409], reply?.text).toContain(reply?.status);
}

const threadOf = (message?: { id: string; parentMessageId: string | null }) =>
  message?.parentMessageId ?? message?.id;

describe('lists on three processes, while everybody writes', () => {
  it('are what one fresh statement reads at the same version, and never older', async () => {
    const room = await openSession('Busy');
    /** What each version showed, by whoever read it first. */
    const shown = new Map<number, string>();
    const readFresh = async () => {
      const { version, data } = await fresh(room.sessionId);
      const text = JSON.stringify(data);
      expect(shown.get(version) ?? text).toBe(text);
      shown.set(version, text);
      return { version, text };
    };
    /** Reads on one process, with and without the tag of the last answer. False if somebody wrote meanwhile. */
    const createReader = (at: number) => {
      const mine = servers[at % PROCESSES] as ServerProcess;
      let etag = '';
      let kept = '';
      return async (): Promise<boolean> => {
        const { key } = any(people);
        const before = await readFresh();
        const headers = Math.random() < 0.5 && etag !== '' ? { 'if-none-match': etag } : {};
        const reply = await mine.call('GET', room.list, { key, headers });
        const after = await readFresh();
        if (reply.status === 200) {
          kept = JSON.stringify(reply.json.data);
          etag = reply.headers.get('etag') ?? '';
        } else expect(reply.status).toBe(304);
        if (before.version !== after.version) return false;
        expect(kept).toBe(before.text);
        return true;
      };
    };
    const readers = Array.from({ length: READERS }, (_, at) => createReader(at));
    for (let round = 0; round < ROUNDS; round++) {
      const writing = new Set(people);
      const writes = people.map((person) =>
        write(room, person).finally(() => writing.delete(person)),
      );
      const reads = readers.map(async (read) => {
        while (writing.size > 0) await read();
        // The replies of agents may still be landing.
        while (!(await read()));
      });
      await Promise.all([...writes, ...reads]);
    }
    expect(shown.size).toBeGreaterThan(ROUNDS);
    // No reply may land between the two reads that are compared.
    await until(async () => (await shared.db.query('SELECT 1 FROM jobs LIMIT 1')).length === 0);
    await expectReactionsOfTable(room.sessionId);
    const last = await fresh(room.sessionId);
    for (const each of servers) {
      const reply = await each.call('GET', room.list, { key: shared.org.owner.key });
      expect(reply.json.data).toEqual(last.data);
    }
  });

  /** Every message lists exactly what the table has, in its order. */
  async function expectReactionsOfTable(sessionId: string): Promise<void> {
    const differing = await shared.db.query(
      `SELECT m.id, m.reactions FROM messages m WHERE m.session_id = $1 AND m.deleted_at IS NULL
         AND (SELECT coalesce(string_agg(entry->>'emoji' || who, ' ' ORDER BY entry->>'emoji', nth), '')
           FROM jsonb_array_elements(m.reactions) entry,
             jsonb_array_elements_text(entry->'userIds') WITH ORDINALITY AS u (who, nth))
         <> (SELECT coalesce(string_agg(r.emoji || r.user_id, ' ' ORDER BY r.emoji, r.position), '')
           FROM reactions r WHERE r.org_id = m.org_id AND r.message_id = m.id)`,
      [sessionId],
    );
    expect(differing).toEqual([]);
  }

  it('are refused to whoever was removed, on every process, although all have the page', async () => {
    const room = await openSession('Secret', 'MEMBERS');
    const stranger = await createTestOrg(shared.db);
    const person = people[1] as Person;
    const { key } = shared.org.owner;
    const member = `/api/projects/${room.projectId}/members/${person.userId}`;
    const statuses = (asker: string) =>
      Promise.all(
        servers.map(async (each) => (await each.call('GET', room.list, { key: asker })).status),
      );
    for (let round = 0; round < 10; round++) {
      await server().call('POST', room.messages, { key, body: { body: `secret ${round}` } });
      const added = await server().call('PUT', member, { key });
      expect(added.status, added.text).toBeLessThan(300);
      expect(await statuses(person.key)).toEqual([200, 200, 200]);
      await server().call('DELETE', member, { key });
      expect(await statuses(person.key)).toEqual([403, 403, 403]);
      expect(await statuses(stranger.owner.key)).toEqual([404, 404, 404]);
      expect(await statuses(key)).toEqual([200, 200, 200]);
    }
  });

  it('are refused to whoever is taken out of a private session, also while they write in it', async () => {
    const room = await openSession('Private', 'ORG', { access: 'PARTICIPANTS' });
    const session = room.messages.replace('/messages', '');
    const { key, userId } = shared.org.owner;
    const person = people[1] as Person;
    const statuses = () =>
      Promise.all(
        servers.map(
          async (each) => (await each.call('GET', room.list, { key: person.key })).status,
        ),
      );
    const change = (participantUserIds: string[], by = key) =>
      server().call('PATCH', session, { key: by, body: { participantUserIds } });
    for (let round = 0; round < 10; round++) {
      expect((await change([userId, person.userId])).status).toBe(200);
      expect(await statuses()).toEqual([200, 200, 200]);
      const body = { body: `still here ${round}` };
      const attempts = [...servers, ...servers].map(async (each, at) =>
        at % 3 === 0
          ? change([userId, person.userId], person.key)
          : each.call('POST', room.messages, { key: person.key, body }),
      );
      const [removed, ...tried] = await Promise.all([change([userId]), ...attempts]);
      expect(removed.status).toBe(200);
      for (const { status } of tried) expect([200, 201, 404]).toContain(status);
      expect(await statuses()).toEqual([404, 404, 404]);
      const { json } = await server().call('GET', session, { key });
      expect(json.data.participantUserIds).toEqual([userId]);
    }
  });
});
