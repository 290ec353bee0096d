import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../../../../test/harness/clients/client.ts';
import { dataOf, expectError } from '../../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../../test/harness/clients/event-stream.ts';
import { callTool, connectMcp } from '../../../../test/harness/clients/mcp-client.ts';
import { ENGINE } from '../../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../../test/harness/databases/use-test-database.ts';
import { createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import { createAuthority } from '../../../../test/harness/outside/certificates.ts';
import {
  startHttpsServer,
  type HttpsServer,
} from '../../../../test/harness/outside/https-server.ts';
import { startTestServer, type TestServer } from '../../../../test/harness/processes/server.ts';
import { useNewOrg } from '../../../../test/harness/processes/use-test-org.ts';
import { hashLink, laneFor, linksToPreview } from './links.ts';
import { purgePreviews } from './store.ts';

/** Each is another host, though all are the same server. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
const authority = createAuthority();
const database = useTestDatabase();
const org = useNewOrg(() => database.db);
let site: HttpsServer;
let server: TestServer;
/** Another process that runs jobs. The embedded engine has only one. */
let second: TestServer | undefined;

/** Pages that are not answered yet, by their path. */
const held = new Map<string, ServerResponse>();
let isHolding = (_path: string) => false;

function answer(path: string, response: ServerResponse): void {
  if (path.startsWith('/broken')) response.writeHead(500).end();
  else {
    const title = `Page ${path.slice(1)}`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<title>${title}</title><meta name="description" content="About it">`);
  }
}

beforeAll(async () => {
  site = await startHttpsServer(
    { authority, names: HOSTS, host: '0.0.0.0' },
    (request, response) => {
      const path = request.url ?? '';
      if (!isHolding(path)) return answer(path, response);
      held.set(path, response);
      response.on('close', () => held.delete(path));
    },
  );
  const previewHosts = HOSTS.map((host) => `${host}:${site.port}`);
  const options = { shared: database, worker: true, ca: authority.certificate, previewHosts };
  server = await startTestServer(options);
  if (ENGINE === 'postgres') second = await startTestServer(options);
});
afterAll(async () => {
  for (const response of held.values()) response.destroy();
  await Promise.all([server.stop(), second?.stop(), site.close()]);
});

const send = async (...args: Parameters<ReturnType<typeof createCaller>>) =>
  dataOf(await createCaller(server.origin)(...args));
const call = (...args: Parameters<ReturnType<typeof createCaller>>) =>
  createCaller(server.origin)(...args);

let pages = 0;
/** A page that no other test links to. */
const link = (name = 'page', host = HOSTS[0]) => `https://${host}:${site.port}/${name}-${++pages}`;
const previewOf = (url: string) => ({
  url,
  site: new URL(url).hostname,
  title: `Page ${new URL(url).pathname.slice(1)}`,
  description: 'About it',
});
const requestsFor = (url: string) =>
  site.requests.filter(({ path }) => path === new URL(url).pathname).length;

async function openRoom(by: Person = org.owner) {
  const { slug } = await send('POST', '/api/projects', by, { name: `Room ${Math.random()}` });
  const space = `/api/spaces/${slug}`;
  const { id } = await send('POST', `${space}/sessions`, by, { name: 'Talk' });
  const session = `${space}/sessions/${id}`;
  return {
    session,
    sessionId: id as string,
    slug: slug as string,
    of: (messageId: string) => `${space}/messages/${messageId}`,
    async post(body: string, author: Person = by): Promise<string> {
      const message = await send('POST', `${session}/messages`, author, { body });
      expect(message.previews).toEqual([]);
      return message.id;
    },
    previews: async (messageId: string) =>
      (await send('GET', `${space}/messages/${messageId}`, by)).previews,
    async shows(messageId: string, ...urls: string[]) {
      await expect
        .poll(() => this.previews(messageId), { timeout: 15_000 })
        .toEqual(urls.map(previewOf));
    },
  };
}

/** Until every job of this process and the other one has ended. */
async function settle(): Promise<void> {
  const left = () =>
    database.db.query(`SELECT id FROM jobs WHERE kind = 'preview-links' AND dead_at IS NULL`);
  await expect.poll(async () => (await left()).length, { timeout: 15_000 }).toBe(0);
}

describe('previews', () => {
  it('arrive after the message, which open pages read once more', async () => {
    const room = await openRoom();
    const events = await openEventsOf(server, org.member, org);
    const [one, two] = [link(), link()];
    const id = await room.post(`Look: ${one}, and [this](${two}#part).`);
    await events.next('message.updated', { messageId: id });
    const expected = [previewOf(one), { ...previewOf(two), url: `${two}#part` }];
    expect(await room.previews(id)).toEqual(expected);
    expect((await send('GET', `${room.session}/messages`, org.member)).items).toMatchObject([
      { id, previews: expected, editedAt: null },
    ]);
    await settle();
    expect(events.events.filter(({ data }) => data['messageId'] === id)).toEqual([
      expect.objectContaining({ type: 'message.created' }),
    ]);
    events.close();
  });

  it('are of the first three links, without those in code, or that fail', async () => {
    const room = await openRoom();
    const [shown, broken, last, fourth, code] = [
      link(),
      link('broken'),
      link(),
      link('fourth'),
      link('code'),
    ];
    const id = await room.post(
      `\`${code}\` ${shown} http://example.com ${broken} ${last} ${fourth}`,
    );
    await room.shows(id, shown, last);
    expect([requestsFor(broken), requestsFor(fourth), requestsFor(code)]).toEqual([1, 0, 0]);
  });

  it('are never of private addresses', async () => {
    const secret = await startHttpsServer({ authority }, (_, response) => response.end());
    const room = await openRoom();
    const shown = link();
    const id = await room.post(`https://127.0.0.1:${secret.port}/ https://10.0.0.1/ ${shown}`);
    await room.shows(id, shown);
    expect(secret.connections()).toBe(0);
    await secret.close();
  });

  it('are made again after an edit, and go with their link', async () => {
    const room = await openRoom();
    const [one, two] = [link(), link()];
    const id = await room.post(one);
    await room.shows(id, one);
    const edited = await send('PATCH', room.of(id), org.owner, { body: `${one} and ${two}` });
    expect(edited.previews).toEqual([previewOf(one)]);
    await room.shows(id, one, two);
    await send('PATCH', room.of(id), org.owner, { body: `Only ${two}` });
    expect(await room.previews(id)).toEqual([previewOf(two)]);
    await send('PATCH', room.of(id), org.owner, { body: 'None' });
    expect(await room.previews(id)).toEqual([]);
    expect([requestsFor(one), requestsFor(two)]).toEqual([1, 1]);
  });

  it('of what was linked before an edit are not written to what it says now', async () => {
    const room = await openRoom();
    const slow = link('slow');
    isHolding = (path) => path.startsWith('/slow');
    const id = await room.post(slow);
    await expect.poll(() => held.has(new URL(slow).pathname)).toBe(true);
    await send('PATCH', room.of(id), org.owner, { body: 'Never mind' });
    release();
    await settle();
    expect(await room.previews(id)).toEqual([]);
    const [row] = await database.db.query<{ previews: unknown }>(
      'SELECT previews FROM messages WHERE id = $1',
      [id],
    );
    expect(row?.previews).toEqual([]);
  });

  it('are gone with the message, and not kept for longer than 30 days', async () => {
    const room = await openRoom();
    const url = link();
    const post = () => room.post(url);
    const [deleted, old, recent] = [await post(), await post(), await post()];
    for (const id of [deleted, old, recent]) await room.shows(id, url);
    expect((await call('DELETE', room.of(deleted), org.owner)).status).toBe(204);
    expect(await room.previews(deleted)).toEqual([]);
    const listed = await send('GET', `${room.session}/messages`, org.owner);
    expect(JSON.stringify(listed)).toContain('About it');
    for (const [id, days] of [
      [old, 31],
      [recent, 29],
    ]) {
      await database.db.query(
        'UPDATE messages SET previewed_at = now() - make_interval(days => $2) WHERE id = $1',
        [id, days],
      );
    }
    await settle();
    await database.db.query(`UPDATE link_pages SET fresh_until = now() - interval '2 hours'`);
    expect(await purgePreviews(database.db)).toBeGreaterThan(1);
    const { items } = await send('GET', `${room.session}/messages`, org.owner);
    expect(items.map(({ previews }: { previews: unknown[] }) => previews.length)).toEqual([
      1, 0, 0,
    ]);
    expect(await database.db.query('SELECT url_hash FROM link_pages')).toEqual([]);
  });

  it('are for people: agents and MCP clients get none', async () => {
    const room = await openRoom();
    const url = link();
    const id = await room.post(`@recall ${url}`);
    await room.shows(id, url);
    const client = await connectMcp(server.origin, org.owner.key, '2026-07-28');
    const place = { slug: room.slug, sessionId: room.sessionId };
    const listed = await callTool(client, 'list_messages', place);
    const found = await callTool(client, 'search_messages', { query: 'recall' });
    expect(JSON.stringify([listed.data, found.data])).not.toContain('About it');
    expect(listed.data.items.some((message: { id: string }) => message.id === id)).toBe(true);
    await client.close();
    await database.db.query(
      `UPDATE messages SET author_kind = 'AGENT', author_user_id = NULL, agent_slug = 'recall', previews = '[]' WHERE id = $1`,
      [id],
    );
    await database.db.query(
      `INSERT INTO jobs (kind, payload, run_at) VALUES ('preview-links', $1, now())`,
      [JSON.stringify({ orgId: org.orgId, messageId: id })],
    );
    const other = await room.post(url);
    await room.shows(other, url);
    await settle();
    expect(await room.previews(id)).toEqual([]);
  });
});

describe('PATCH { hidePreviews }', () => {
  it('200: the author, an OWNER or an ADMIN removes them, and takes it back', async () => {
    const room = await openRoom();
    const url = link();
    for (const by of [org.member, org.admin, org.owner]) {
      const id = await room.post(url, org.member);
      await room.shows(id, url);
      const hidden = await send('PATCH', room.of(id), by, { hidePreviews: true });
      expect(hidden).toMatchObject({ id, body: url, previews: [], editedAt: null });
      if (by === org.member) await send('PATCH', room.of(id), by, { body: `${url} again` });
      await settle();
      expect(await room.previews(id)).toEqual([]);
      await send('PATCH', room.of(id), by, { hidePreviews: false });
      await room.shows(id, url);
    }
    expect(requestsFor(url)).toBe(1);
  });

  it('200: together with a new body', async () => {
    const room = await openRoom();
    const url = link();
    const id = await room.post('Wait');
    const edited = await send('PATCH', room.of(id), org.owner, { body: url, hidePreviews: true });
    expect(edited).toMatchObject({ body: url, previews: [] });
    await settle();
    expect(await room.previews(id)).toEqual([]);
    expect(requestsFor(url)).toBe(0);
  });

  it('400, 403, 409: not a boolean, by somebody else, in an archived session', async () => {
    const room = await openRoom();
    const id = await room.post('Hello');
    const patch = (by: Person, body: object) => call('PATCH', room.of(id), by, body);
    expectError(await patch(org.owner, { hidePreviews: 'yes' }), 'VALIDATION_ERROR');
    expectError(await patch(org.member, { hidePreviews: true }), 'FORBIDDEN');
    expectError(await patch(org.admin, { hidePreviews: true, body: 'Mine' }), 'FORBIDDEN');
    expect((await patch(org.owner, { hidePreviews: null })).status).toBe(200);
    expect((await call('DELETE', room.session, org.owner)).status).toBe(204);
    expectError(await patch(org.owner, { hidePreviews: true }), 'CONFLICT');
  });
});

/** Answers everything that waits. */
function release(): void {
  isHolding = () => false;
  for (const [path, response] of held) answer(path, response);
  held.clear();
}

describe('a page', () => {
  it('is read once for all messages that link to it, in all processes, at the same time or later', async () => {
    const room = await openRoom();
    const urls = [link('slow'), link('slow'), link()];
    isHolding = (path) => path.startsWith('/slow');
    const bodies = Array.from({ length: 12 }, (_, at) => [urls[at % 3], urls[(at + 1) % 3]]);
    const ids = await Promise.all(bodies.map((links) => room.post(links.join(' '))));
    await expect.poll(() => held.size).toBe(2);
    await expect.poll(() => requestsFor(urls[2] ?? '')).toBe(1);
    release();
    for (const [at, id] of ids.entries()) await room.shows(id, ...(bodies[at] as string[]));
    expect(urls.map(requestsFor)).toEqual([1, 1, 1]);
    const rows = await database.db.query('SELECT * FROM link_pages WHERE org_id = $1', [org.orgId]);
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`https:|${org.owner.userId}`));
    // Another organisation reads it for itself.
    const other = await createTestOrg(database.db);
    const elsewhere = await openRoom(other.owner);
    await elsewhere.shows(await elsewhere.post(urls[2] ?? ''), urls[2] ?? '');
    expect(requestsFor(urls[2] ?? '')).toBe(2);
  });

  it('that can’t be read is left alone for a while, and then read again', async () => {
    const room = await openRoom();
    const url = link('broken');
    for (let nth = 0; nth < 3; nth++) await room.post(url);
    await settle();
    expect(requestsFor(url)).toBe(1);
    const minutes = await database.db.query(
      `SELECT round(extract(epoch FROM fresh_until - now()) / 60)::int AS left FROM link_pages
       WHERE org_id = $1 AND url_hash = $2`,
      [org.orgId, hashLink(url)],
    );
    expect(minutes).toEqual([{ left: 10 }]);
    await database.db.query('UPDATE link_pages SET fresh_until = now() WHERE url_hash = $1', [
      hashLink(url),
    ]);
    await room.post(url);
    await settle();
    expect(requestsFor(url)).toBe(2);
  });

  it('whose reader was killed is read by another one', async () => {
    const room = await openRoom();
    const url = link();
    await database.db.query(
      `INSERT INTO link_pages (org_id, url_hash, token, fresh_until)
       VALUES ($1, $2, 'gone', now() + interval '1 second')`,
      [org.orgId, hashLink(url)],
    );
    await room.shows(await room.post(url), url);
  });
});

it('links to this server, or with a name and password, are none to look up', () => {
  const site = { publicUrl: () => 'http://atrium.example.com' };
  const body = 'https://atrium.example.com/p/x https://a:b@example.com https://example.com/#a';
  expect(linksToPreview({ site } as never, body)).toEqual(['https://example.com/#a']);
});

it('a thousand slow links hold up neither other hosts nor other organisations', async () => {
  const room = await openRoom();
  const slowHost = HOSTS[0] ?? '';
  const laneOf = (host: string) => laneFor(org.orgId, `https://${host}:${site.port}/`);
  const otherHost = HOSTS.find((host) => laneOf(host) !== laneOf(slowHost)) ?? '';
  isHolding = (path) => path.startsWith('/flood');
  for (let nth = 0; nth < 12; nth++) await room.post(link('flood', slowHost));
  await expect.poll(() => held.size).toBeGreaterThan(3);
  const fast = link('fast', otherHost);
  await room.shows(await room.post(fast), fast);
  const other = await createTestOrg(database.db);
  const elsewhere = await openRoom(other.owner);
  const theirs = link('fast', slowHost);
  await elsewhere.shows(await elsewhere.post(theirs), theirs);
  // Claims at the same moment may exceed it a little.
  expect(held.size).toBeLessThanOrEqual(8);
  release();
  await settle();
});

it('an organisation can turn them off for new messages', async () => {
  const room = await openRoom();
  const [before, after] = [link(), link()];
  const id = await room.post(before);
  await room.shows(id, before);
  const turn = (linkPreviews: boolean) =>
    send('PATCH', `/api/org/${org.orgId}`, org.owner, { linkPreviews });
  expect(await turn(false)).toMatchObject({ linkPreviews: false, linkPreviewsAvailable: true });
  await room.post(after);
  await settle();
  expect([requestsFor(before), requestsFor(after)]).toEqual([1, 0]);
  await room.shows(id, before);
  await turn(true);
  await room.shows(await room.post(after), after);
});

it('LINK_PREVIEWS=off: nothing is looked up', async () => {
  const off = await startTestServer({ shared: database });
  const { session } = await openRoom();
  const body = link();
  const callOff = createCaller(off.origin);
  expect((await callOff('POST', `${session}/messages`, org.owner, { body })).status).toBe(201);
  await settle();
  expect(requestsFor(body)).toBe(0);
  await off.stop();
});
