import { beforeAll, describe, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../src/lists/page-bytes.ts';
import type { Reply } from '../harness/clients/client.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();
const { call } = server;
const COUNT = 60;
/** As long as a body can be, in bytes: 80 KB. */
const LONG = '𝄞'.repeat(20_000);
const LONG_BYTES = 80_000;

let org: TestOrg;
let key: string;
let path: string;
const ids = Array.from({ length: COUNT }, (_, nth) => `c${String(nth + 1).padStart(24, '0')}`);
/** Newest first. */
const newestFirst = ids.toReversed();

beforeAll(async () => {
  org = await createTestOrg(server.db);
  ({ key } = org.owner);
  const project = await call('POST', '/api/projects', { key, body: { name: 'Long' } });
  const sessions = `/api/spaces/${project.json.data.slug}/sessions`;
  const session = await call('POST', sessions, { key, body: { name: 'Long' } });
  path = `${sessions}/${session.json.data.id}/messages`;
  // The first message has a thread with all others in it.
  await server.db.query(
    `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body,
       mentions, status, citations, tool_calls, created_at, parent_message_id, reply_count)
     SELECT $1, id, $2, nth, 'USER', $3, $4, '{}', 'COMPLETED', '[]', '[]', now(),
       CASE WHEN nth > 1 THEN $5 END, CASE WHEN nth = 1 THEN $6::int - 1 ELSE 0 END
     FROM unnest($7::text[]) WITH ORDINALITY AS message (id, nth)`,
    [org.orgId, session.json.data.id, org.owner.userId, LONG, ids[0], COUNT, ids],
  );
  await server.db.query(
    'UPDATE sessions SET last_position = $3, version = version + 1 WHERE org_id = $1 AND id = $2',
    [org.orgId, session.json.data.id, COUNT],
  );
});

const idsIn = ({ json }: Reply): string[] => json.data.items.map((item: { id: string }) => item.id);

function expectBounded(page: Reply): void {
  expect(page.status).toBe(200);
  // The last item may begin just before the end of a page.
  expect(Buffer.byteLength(page.text)).toBeLessThan(PAGE_BYTES + LONG_BYTES + 10_000);
}

async function readAll(first: string): Promise<string[]> {
  const found: string[] = [];
  for (let before = ''; ;) {
    const page = await call('GET', first + before, { key });
    expectBounded(page);
    found.push(...idsIn(page));
    const { hasMore, nextBefore } = page.json.data;
    expect(nextBefore).toBe(hasMore ? found.at(-1) : null);
    if (!hasMore) return found;
    before = `&before=${nextBefore}`;
  }
}

describe('a page of long messages has fewer than `limit`', () => {
  it('in a session', async () => {
    expect(await readAll(`${path}?limit=20`)).toEqual(newestFirst);
  });

  it('in a thread', async () => {
    const thread = `${path}?limit=20&parentMessageId=${ids[0]}`;
    expect(await readAll(thread)).toEqual(newestFirst.slice(0, -1));
  });

  it('around a message, which is in the middle of what fits', async () => {
    for (const at of [0, 1, 30, COUNT - 2, COUNT - 1]) {
      const page = await call('GET', `${path}?limit=100&around=${newestFirst[at]}`, { key });
      expectBounded(page);
      const found = idsIn(page);
      const from = newestFirst.indexOf(found[0] ?? '');
      expect(found).toEqual(newestFirst.slice(from, from + found.length));
      const newer = found.indexOf(newestFirst[at] ?? '');
      expect(newer).toBeGreaterThanOrEqual(Math.min(at, 1));
      expect(found.length - 1 - newer).toBeGreaterThanOrEqual(Math.min(COUNT - 1 - at, 1));
      expect(page.json.data.hasMore).toBe(found.at(-1) !== ids[0]);
    }
  });

  it('even if each fills a page: it has at least one, and its neighbours if it is asked for', async () => {
    const calls = [{ server: 's', name: 't', arguments: {}, isError: false, latencyMs: 1 }].map(
      (made) => ({ ...made, result: 'x'.repeat(PAGE_BYTES) }),
    );
    await server.db.query(
      'UPDATE messages SET tool_calls = $3 WHERE org_id = $1 AND id = ANY ($2)',
      [org.orgId, ids.slice(10, 15), JSON.stringify(calls)],
    );
    const older = await call('GET', `${path}?limit=90&before=${ids[13]}`, { key });
    expect(idsIn(older)).toEqual([ids[12]]);
    expect(older.json.data).toMatchObject({ hasMore: true, nextBefore: ids[12] });
    const window = await call('GET', `${path}?limit=90&around=${ids[12]}`, { key });
    expect(idsIn(window)).toEqual([ids[13], ids[12], ids[11]]);
  });
});

describe('long messages that are found', () => {
  it('are as many as fit on a page, best first', async () => {
    for (let nth = 0; nth < 20; nth++) {
      const body = `${'𝄞'.repeat(19_000)} cellar`;
      expect((await call('POST', path, { key, body: { body } })).status).toBe(201);
    }
    const search = { query: 'cellar', limit: 100 };
    const found = await call('POST', '/api/messages/search', { key, body: search });
    expectBounded(found);
    expect(found.json.data.items.length).toBeGreaterThan(2);
    expect(found.json.data.total).toBe(found.json.data.items.length);
  });
});

describe('long memories', () => {
  it('are listed and found page by page', async () => {
    const content = `${'𝄞'.repeat(9_990)} cellar`;
    for (let at = 0; at < 40; at += 20) {
      const items = Array.from({ length: 20 }, () => ({ content, visibility: 'ORG' }));
      const made = await call('POST', '/api/memory/batch', { key, body: { items } });
      expect(made.status).toBe(201);
    }
    const listed = await readAll('/api/memory?limit=100');
    expect(new Set(listed).size).toBe(40);
    const search = { query: 'cellar', limit: 100 };
    const found = await call('POST', '/api/memory/search', { key, body: search });
    expectBounded(found);
    expect(found.json.data.total).toBe(found.json.data.items.length);
  });
});

describe('pages with numbers are complete, however long they are', () => {
  it('of tasks', async () => {
    const project = await call('POST', '/api/projects', { key, body: { name: 'Tasks' } });
    const tasks = `/api/projects/${project.json.data.id}/tasks`;
    const made: object[] = [];
    for (let nth = 0; nth < 15; nth++) {
      const description = nth % 7 === 3 ? null : `${nth} ${LONG.slice(0, 39_000)}`;
      const task = await call('POST', tasks, { key, body: { title: `Task ${nth}`, description } });
      made.push(task.json.data);
    }
    const listed = await call('GET', `${tasks}?limit=100`, { key });
    expect(listed.json.data.items).toEqual(made);
    const second = await call('GET', `${tasks}?limit=8&page=2`, { key });
    expect(second.json.data.items).toEqual(made.slice(8));
  });

  it('of threads', async () => {
    const parents: string[] = [];
    for (let nth = 0; nth < 8; nth++) {
      const parent = await call('POST', path, { key, body: { body: `${nth}${LONG.slice(2)}` } });
      const { id: parentMessageId } = parent.json.data;
      await call('POST', path, { key, body: { body: 'Yes', parentMessageId } });
      const current = await call('GET', `${path}?around=${parentMessageId}&limit=1`, { key });
      parents.unshift(current.json.data.items[0]);
    }
    const { json } = await call('GET', '/api/threads?limit=100', { key });
    const shown = json.data.items.map((thread: { parent: unknown }) => thread.parent);
    expect(shown.slice(0, 8)).toEqual(parents);
  });
});
