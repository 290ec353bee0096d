import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import { createCaller, type Call } from '../../../test/harness/clients/client.ts';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { dataOf, expectError } from '../../../test/harness/clients/envelope.ts';
import {
  openEvents,
  openEventsOf,
  openSessionEvents,
  type EventStream,
} from '../../../test/harness/clients/event-stream.ts';
import { createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { useFolder } from '../../../test/harness/use-folder.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import { startTestServer, type TestServer } from '../../../test/harness/processes/server.ts';

/** On PostgreSQL, another process receives the hints of a write. The embedded engine has only one process. */
const database = useTestDatabase();
const folder = useFolder();
let reading: TestServer;
let writing: TestServer;
let call: Call;
const org = useNewOrg(() => database.db);
let open: EventStream[] = [];
beforeAll(async () => {
  writing = await startTestServer({
    shared: database,
    worker: true,
    env: { DATA_DIR: folder.path },
  });
  reading =
    ENGINE === 'postgres'
      ? await startTestServer({ shared: database, liveTiming: { pingEveryMs: 100 } })
      : writing;
  call = createCaller(writing.origin);
});
afterAll(async () => {
  await writing.stop();
  if (reading !== writing) await reading.stop();
});
afterEach(() => {
  for (const stream of open) stream.close();
  open = [];
});

async function openStream(person: Person, server = reading): Promise<EventStream> {
  const stream = await openEventsOf(server, person, org);
  open.push(stream);
  return stream;
}

/** After everything committed before, which may only reach another process now. */
async function listenAll<P extends Person[]>(
  ...people: P
): Promise<{ [At in keyof P]: EventStream }> {
  const streams = await Promise.all(people.map((person) => openStream(person)));
  await fence(...streams);
  return streams as { [At in keyof P]: EventStream };
}

async function listen(person: Person): Promise<EventStream> {
  return (await listenAll(person))[0];
}

const send = async (...args: Parameters<Call>) => dataOf(await call(...args));

async function openRoom(project: object = {}, by = org.owner) {
  const { id, slug } = await send('POST', '/api/projects', by, { name: 'Room', ...project });
  const path = `/api/spaces/${slug}/sessions`;
  const { id: sessionId } = await send('POST', path, by, { name: 'Talk' });
  return { projectId: id, sessionId, space: `/api/spaces/${slug}`, path: `${path}/${sessionId}` };
}

/**
 * A hint that everyone in the org receives. Whatever precedes it in a stream has arrived by then.
 * Reads all streams up to it, and returns the types of the hints before it, but for who came to read them.
 */
async function fence(...streams: EventStream[]): Promise<string[][]> {
  const body = { content: 'A fence', visibility: 'ORG' };
  const { id: memoryId } = await send('POST', '/api/memory', org.owner, body);
  const heard = streams.map((stream) => stream.takeUntil('memory.changed', { memoryId }));
  return (await Promise.all(heard)).map((events) => events.map(({ type }) => type));
}

describe('which hints pages get', () => {
  it('messages: posted, edited, reacted to, deleted', async () => {
    const { projectId, sessionId, space, path } = await openRoom();
    const stream = await listen(org.member);
    const { id } = await send('POST', `${path}/messages`, org.owner, { body: 'Hello' });
    const ids = { projectId, sessionId, messageId: id };
    expect((await stream.next('message.created')).data).toEqual({
      ...ids,
      parentMessageId: null,
      authorUserId: org.owner.userId,
      mentionedUserIds: [],
      createdAt: expect.stringMatching(/Z$/),
    });
    const message = `${space}/messages/${id}`;
    for (const [method, where, change, body] of [
      ['PATCH', message, { change: 'EDITED' }, { body: 'Hello you' }],
      ['POST', `${message}/reactions`, {}, { emoji: '👍' }],
      ['DELETE', `${message}/reactions/${encodeURIComponent('👍')}`, {}, undefined],
      ['DELETE', message, { change: 'DELETED' }, undefined],
    ] as const) {
      await send(method, where, org.owner, body);
      expect((await stream.next('message.updated')).data).toEqual({ ...ids, ...change });
    }
  });

  it('the reply of an agent, which a worker writes', async () => {
    const { projectId, sessionId, path } = await openRoom({}, org.owner);
    const stream = await listen(org.member);
    const { id } = await send('POST', `${path}/messages`, org.owner, { body: '@recall what?' });
    await stream.next('message.created', { messageId: id });
    const { data } = await stream.next('message.created');
    expect(data).toMatchObject({ projectId, sessionId, authorUserId: null });
    expect(data['messageId']).not.toBe(id);
  });

  it('sessions: created, changed, archived', async () => {
    const { projectId, space } = await openRoom();
    const stream = await listen(org.member);
    const { id } = await send('POST', `${space}/sessions`, org.owner, { name: 'Next' });
    const data = { projectId, sessionId: id };
    expect((await stream.next('session.created')).data).toEqual(data);
    await send('PATCH', `${space}/sessions/${id}`, org.owner, { title: 'A title' });
    expect((await stream.next('session.updated')).data).toEqual(data);
    await send('DELETE', `${space}/sessions/${id}`, org.owner);
    expect((await stream.next('session.updated')).data).toEqual(data);
  });

  it('a read mark: only the person who read', async () => {
    const { projectId, sessionId, path } = await openRoom();
    const { id } = await send('POST', `${path}/messages`, org.owner, { body: 'Hello' });
    const [own, other] = await listenAll(org.member, org.owner);
    await send('PUT', `${path}/read`, org.member, { messageId: id });
    expect((await own.next('session.read')).data).toEqual({
      projectId,
      sessionId,
      unreadCount: 0,
    });
    expect(await fence(own, other)).toEqual([[], []]);
  });

  it('somebody is writing: everyone else who may read the session, on their pages', async () => {
    const { projectId, sessionId, space, path } = await openRoom({ access: 'MEMBERS' });
    const [own, other, outside] = await listenAll(org.owner, org.admin, org.member);
    const room = await openSessionEvents(reading.origin, { path, key: org.admin.key });
    open.push(room);
    const { call: browse } = await signIn(writing, org.owner.email);
    const typing = `/web${space.slice('/api'.length)}/sessions/${sessionId}/typing`;
    const reply = await browse('POST', typing);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const { userId } = org.owner;
    expect(await other.next('session.typing')).toEqual({
      type: 'session.typing',
      data: { projectId, sessionId, userId },
    });
    expect(await fence(own, other, outside)).toEqual([[], [], []]);
    await send('PATCH', path, org.owner, { title: 'After' });
    expect(await room.takeUntil('session.updated')).toEqual([]);
  });

  it('somebody is writing: 401, 403, 404', async () => {
    const { sessionId, space } = await openRoom({ access: 'MEMBERS' });
    const base = `/web${space.slice('/api'.length)}/sessions`;
    const typing = `${base}/${sessionId}/typing`;
    expectError(await call('POST', typing, org.owner), 'AUTH_ERROR');
    const { call: browse } = await signIn(writing, org.member.email);
    expect(expectError(await browse('POST', typing), 'FORBIDDEN')).toMatchObject({
      reason: 'not_project_member',
    });
    const elsewhere = await createTestOrg(database.db);
    const headers = { 'atrium-org': elsewhere.orgId };
    expect(expectError(await browse('POST', typing, { headers }), 'FORBIDDEN')).toMatchObject({
      reason: 'wrong_org',
    });
    const { call: theirs } = await signIn(writing, elsewhere.owner.email);
    expectError(await theirs('POST', typing), 'NOT_FOUND');
    const { call: ours } = await signIn(writing, org.owner.email);
    expectError(await ours('POST', `${base}/caaaaaaaaaaaaaaaaaaaaaaaa/typing`), 'NOT_FOUND');
  });

  it('Projects: created, changed, archived, joined', async () => {
    const stream = await listen(org.admin);
    const { id } = await send('POST', '/api/projects', org.owner, { name: 'P', access: 'MEMBERS' });
    expect((await stream.next('project.created')).data).toEqual({ projectId: id });
    for (const [method, path, body] of [
      ['PATCH', `/api/projects/${id}`, { description: 'What it is for' }],
      ['PUT', `/api/projects/${id}/members/${org.member.userId}`, undefined],
      ['DELETE', `/api/projects/${id}/members/${org.member.userId}`, undefined],
      ['DELETE', `/api/projects/${id}`, undefined],
    ] as const) {
      await send(method, path, org.owner, body);
      expect((await stream.next('project.updated')).data).toEqual({ projectId: id });
    }
  });

  it('the org: invitations, roles, integrations', async () => {
    const stream = await listen(org.member);
    const invitations = `/api/org/${org.orgId}/invitations`;
    const body = { email: `guest-${org.orgId}@example.com`, role: 'MEMBER' };
    const { id } = await send('POST', invitations, org.owner, body);
    expect((await stream.next('org.updated')).data).toEqual({});
    for (const [method, path, body] of [
      ['DELETE', `${invitations}/${id}`, undefined],
      ['PATCH', `/api/org/${org.orgId}/members/${org.admin.userId}`, { role: 'MEMBER' }],
    ] as const) {
      await send(method, path, org.owner, body);
      await stream.next('org.updated');
    }
  });

  it('memory: of v2 and v1, written, changed and deleted', async () => {
    const stream = await listen(org.member);
    const body = { content: 'Tea at four', visibility: 'ORG' };
    const { id } = await send('POST', '/api/memory', org.owner, body);
    expect((await stream.next('memory.changed')).data).toEqual({ memoryId: id });
    for (const [method, body] of [
      ['PATCH', { content: 'Tea at five' }],
      ['DELETE', undefined],
    ] as const) {
      await send(method, `/api/memory/${id}`, org.owner, body);
      expect((await stream.next('memory.changed')).data).toEqual({ memoryId: id });
    }
    const v1 = { content: 'Of a program', visibility: 'ORG' };
    const reply = await call('POST', '/api/v1/memories', { key: org.orgKey, body: v1 });
    expect(reply.status, reply.text).toBe(201);
    expect((await stream.next('memory.changed')).data).toEqual({ memoryId: reply.json.data.id });
  });
});

describe('who gets them', () => {
  it('no hint of a MEMBERS Project reaches others in the org', async () => {
    const { projectId, space, path } = await openRoom({ access: 'MEMBERS' });
    const [inside, outside] = await listenAll(org.admin, org.member);
    await send('POST', `${path}/messages`, org.owner, { body: 'Hello' });
    await send('POST', `${space}/sessions`, org.owner, { name: 'Next' });
    await send('PATCH', `/api/projects/${projectId}`, org.owner, { description: 'Secret' });
    const memory = { content: 'Secret', visibility: 'PROJECT', projectId };
    await send('POST', '/api/memory', org.owner, memory);
    const heard = ['message.created', 'session.created', 'project.updated', 'memory.changed'];
    expect(await fence(inside, outside)).toEqual([heard, []]);
  });

  it('people who are added get them from then on, people who are removed no longer; both reload', async () => {
    const { projectId, path } = await openRoom({ access: 'MEMBERS' });
    const stream = await listen(org.member);
    const membership = `/api/projects/${projectId}/members/${org.member.userId}`;
    await send('PUT', membership, org.owner);
    await stream.next('resync');
    await send('POST', `${path}/messages`, org.owner, { body: 'Welcome' });
    await stream.next('message.created');
    await fence(stream);
    await send('DELETE', membership, org.owner);
    await send('POST', `${path}/messages`, org.owner, { body: 'Gone' });
    expect(await fence(stream)).toEqual([['resync']]);
  });

  it('people who lose access to a Project reload', async () => {
    const { projectId } = await openRoom();
    const stream = await listen(org.member);
    await send('PATCH', `/api/projects/${projectId}`, org.owner, { access: 'MEMBERS' });
    expect(await fence(stream)).toEqual([['resync']]);
  });

  it('a PRIVATE memory: only its owner; one that becomes PRIVATE: also those who saw it', async () => {
    const [own, other] = await listenAll(org.member, org.owner);
    const body = { content: 'Mine', visibility: 'PRIVATE' };
    const { id } = await send('POST', '/api/memory', org.member, body);
    await own.next('memory.changed', { memoryId: id });
    await send('PATCH', `/api/memory/${id}`, org.member, { content: 'Still mine' });
    expect(await fence(own, other)).toEqual([['memory.changed'], []]);
    await send('PATCH', `/api/memory/${id}`, org.member, { visibility: 'ORG' });
    await other.next('memory.changed', { memoryId: id });
    await send('PATCH', `/api/memory/${id}`, org.member, { visibility: 'PRIVATE' });
    await other.next('memory.changed', { memoryId: id });
  });

  it('nobody of another org', async () => {
    const elsewhere = await createTestOrg(database.db);
    const stream = await openEventsOf(reading, elsewhere.owner, elsewhere);
    open.push(stream);
    const own = await listen(org.member);
    const { path } = await openRoom();
    await send('POST', `${path}/messages`, org.owner, { body: 'Hello' });
    await own.next('message.created');
    const memory = { content: 'Theirs', visibility: 'ORG' };
    await send('POST', '/api/memory', elsewhere.owner, memory);
    expect(await stream.takeUntil('memory.changed')).toEqual([]);
  });
});

describe('when the right to read ends', () => {
  it('a removed member: the stream ends', async () => {
    const [gone, stays] = await listenAll(org.member, org.admin);
    await send('DELETE', `/api/org/${org.orgId}/members/${org.member.userId}`, org.owner);
    await gone.closed;
    expect(gone.events).toEqual([]);
    await stays.next('org.updated');
  });

  it('somebody signs out, also in another process: the stream of that session ends', async () => {
    const browser = await signIn(writing, org.member.email);
    const ends = await openEvents(reading.origin, { cookie: browser.cookie, org: org.orgId });
    const stays = await listen(org.member);
    expect((await browser.call('POST', '/web/sign-out')).status).toBe(204);
    await ends.closed;
    await fence(stays);
  });

  it('a session is ended from another one, or by a new password', async () => {
    const first = await listen(org.member);
    const browser = await signIn(writing, org.member.email, { openedByLink: true });
    const { json } = await browser.call('GET', '/web/sessions');
    const other = json.data.items.find((item: { current: boolean }) => !item.current);
    expect((await browser.call('DELETE', `/web/sessions/${other.id}`)).status).toBe(204);
    await first.closed;
    const second = await listen(org.member);
    const password = { password: 'a long enough password' };
    const reply = await browser.call('PUT', '/web/password', { body: password });
    expect(reply.status, reply.text).toBe(200);
    await second.closed;
  });

  it('without a notification: it is noticed anyway', async () => {
    const checking = await startTestServer({ shared: database, liveTiming: { checkEveryMs: 50 } });
    onTestFinished(() => checking.stop());
    const stream = await openStream(org.member, checking);
    await database.db.query('DELETE FROM web_sessions WHERE user_id = $1', [org.member.userId]);
    await stream.closed;
  });
});

describe('the stream', () => {
  it('has the right headers for browsers and proxies', async () => {
    const { headers } = await listen(org.member);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('401, 403, 400: no cookie, a key, another org, a typo', async () => {
    const ask = createCaller(reading.origin);
    const path = `/web/events?org=${org.orgId}`;
    expectError(await ask('GET', path), 'AUTH_ERROR');
    expectError(await ask('GET', path, { key: org.member.key }), 'AUTH_ERROR');
    const { call: browse } = await signIn(reading, org.member.email);
    const elsewhere = await createTestOrg(database.db);
    for (const other of [elsewhere.orgId, 'nonsense', '']) {
      const reply = await browse('GET', `/web/events?org=${other}`);
      expect(expectError(reply, 'FORBIDDEN')).toMatchObject({ reason: 'wrong_org' });
    }
    expectError(await browse('GET', `${path}&project=x`), 'VALIDATION_ERROR');
    expect((await browse('HEAD', path)).headers.get('content-type')).toContain('event-stream');
  });

  it('ends the oldest one of a person who opens too many', async () => {
    const { cookie } = await signIn(reading, org.member.email);
    const streams: EventStream[] = [];
    for (let count = 0; count < 21; count++) {
      streams.push(await openEvents(reading.origin, { cookie, org: org.orgId }));
    }
    open.push(...streams);
    await streams[0]?.closed;
    await fence(...streams.slice(1));
  });

  it('ends when the server stops, which does not wait for it', async () => {
    const stopping = await startTestServer({ shared: database });
    const stream = await openStream(org.member, stopping);
    await Promise.all([stopping.stop(), stream.closed]);
  });
});

describe.runIf(ENGINE === 'postgres')('between processes', () => {
  it('pings', async () => {
    const stream = await listen(org.member);
    expect(await stream.nextComment()).toBe(': ping');
  });

  it('sends resync if the process may have missed something', async () => {
    const stream = await listen(org.member);
    await database.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'atrium bus' AND datname = current_database()`,
    );
    await stream.next('resync');
    await fence(stream);
  });
});
