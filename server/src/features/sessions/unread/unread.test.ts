import { describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { expectInvalid } from '../../../../test/harness/clients/envelope.ts';

const { server, call, send, org } = useServerWithNewOrgs();

type Named = { id: string; slug: string };

const createProject = (name: string, body: object = {}): Promise<Named> =>
  send('POST', '/api/projects', org.owner, { name, ...body });

/** A session in a new Project, with its path. */
async function createSession(project?: Named, body: object = {}) {
  const { slug, id } = project ?? (await createProject('Talk'));
  const sessions = `/api/spaces/${slug}/sessions`;
  const session = await send('POST', sessions, org.owner, { name: 'Session', ...body });
  return { projectId: id, id: session.id as string, path: `${sessions}/${session.id}` };
}

type Place = Awaited<ReturnType<typeof createSession>>;

async function post(to: Place, by: Person = org.owner, parentMessageId?: string): Promise<string> {
  const message = { body: 'hello', ...(parentMessageId && { parentMessageId }) };
  return (await send('POST', `${to.path}/messages`, by, message)).id;
}

const mark = (as: 'read' | 'unread', to: Place, by: Person, body: object) =>
  call('PUT', `${to.path}/${as}`, by, body);

const unreadIn = async (place: Place, by: Person): Promise<number> =>
  (await send('GET', place.path, by)).unreadCount;
const overview = (by: Person, query = '') => send('GET', `/api/sessions${query}`, by);
const threadsOf = (by: Person, query = '') => send('GET', `/api/threads${query}`, by);

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

describe('GET /sessions', () => {
  it("200: the sessions of all the caller's Projects, unread ones first, with totals", async () => {
    const [open, closed] = [
      await createProject('Open'),
      await createProject('Closed', { access: 'MEMBERS' }),
    ];
    const first = await createSession(open);
    const read = await createSession(open);
    const hidden = await createSession(closed);
    for (const place of [first, first, read, hidden]) await post(place);
    await mark('read', read, org.member, { messageId: await post(read) });

    const { items, ...totals } = await overview(org.member);
    expect(totals).toEqual({ total: 2, unreadTotal: 2, page: 1, limit: 20 });
    expect(items.map(({ id, unreadCount }: never) => [id, unreadCount])).toEqual([
      [first.id, 2],
      [read.id, 0],
    ]);
    const listed = await send('GET', '/api/spaces/open/sessions', org.member);
    expect(items[0]).toEqual(listed.items[1]);
    expect(await overview(org.admin, '?limit=1')).toMatchObject({ total: 3, unreadTotal: 3 });
    expect(idsOf(await overview(org.member, '?unread=true'))).toEqual([first.id]);
    expect(await overview(org.member, '?unread=true&page=9')).toMatchObject({
      items: [],
      total: 1,
      unreadTotal: 2,
    });
  });

  it('200: archived sessions on request only, and none of archived Projects', async () => {
    const project = await createProject('Old');
    const place = await createSession(project);
    await post(place);
    await call('DELETE', place.path, org.owner);
    expect(await overview(org.member)).toMatchObject({ total: 0, unreadTotal: 0 });
    expect(idsOf(await overview(org.member, '?status=ARCHIVED'))).toEqual([place.id]);
    await call('DELETE', `/api/projects/${project.id}`, org.owner);
    expect(await overview(org.member, '?status=ARCHIVED')).toMatchObject({ total: 0 });
  });

  it('304 until a byte of the list changes', async () => {
    const place = await createSession();
    const list = (headers = {}) => call('GET', '/api/sessions', { key: org.member.key, headers });
    const tag = (await list()).headers.get('etag') ?? '';
    expect((await list({ 'If-None-Match': tag })).status).toBe(304);
    await post(place);
    expect((await list({ 'If-None-Match': tag })).status).toBe(200);
  });

  it('400: a filter that is neither true nor false', async () => {
    const reply = await call('GET', '/api/sessions?unread=yes', org.member);
    expect(expectInvalid(reply)).toMatchObject([{ location: 'query.unread' }]);
  });
});

describe('replies in a thread', () => {
  it('stay unread for those who take part until they open it', async () => {
    const place = await createSession();
    const parent = await post(place, org.member);
    await post(place, org.admin, parent);
    const reply = await post(place, org.owner, parent);
    for (const person of [org.member, org.admin]) {
      await mark('read', place, person, { messageId: reply });
    }
    expect(await unreadIn(place, org.member)).toBe(2);
    expect(await unreadIn(place, org.admin)).toBe(1);
    const opened = { messageId: reply, parentMessageId: parent };
    expect((await mark('read', place, org.member, opened)).json.data.unreadCount).toBe(0);
    expect(await unreadIn(place, org.admin)).toBe(1);
    await post(place, org.admin, parent);
    expect([await unreadIn(place, org.member), await unreadIn(place, org.admin)]).toEqual([1, 1]);
  });

  it('are read with the session for everyone else, or by opening the thread', async () => {
    const place = await createSession();
    const parent = await post(place);
    const replies = [await post(place, org.owner, parent), await post(place, org.owner, parent)];
    expect(await unreadIn(place, org.member)).toBe(3);
    await mark('read', place, org.member, { messageId: replies[1], parentMessageId: parent });
    expect(await unreadIn(place, org.member)).toBe(1);
    await mark('read', place, org.admin, { messageId: replies[1] });
    expect(await unreadIn(place, org.admin)).toBe(0);
  });

  it('stay read when an older message is marked, in the session and in the thread', async () => {
    const place = await createSession();
    const parent = await post(place, org.member);
    const first = await post(place, org.owner, parent);
    const last = await post(place, org.owner, parent);
    const between = [await post(place), await post(place)];
    for (const messageId of between.toReversed())
      await mark('read', place, org.member, { messageId });
    expect(await unreadIn(place, org.member)).toBe(2);
    for (const messageId of [last, first]) {
      await mark('read', place, org.member, { messageId, parentMessageId: parent });
    }
    expect(await unreadIn(place, org.member)).toBe(0);
  });

  it('count for somebody who opened the thread first and replied later', async () => {
    const place = await createSession();
    const parent = await post(place);
    await mark('read', place, org.member, { messageId: parent, parentMessageId: parent });
    await post(place, org.member, parent);
    const reply = await post(place, org.owner, parent);
    await mark('read', place, org.member, { messageId: reply });
    expect(await unreadIn(place, org.member)).toBe(1);
  });

  it('400: a message that is not in the thread', async () => {
    const place = await createSession();
    const [parent, other] = [await post(place), await post(place)];
    const reply = await mark('read', place, org.member, {
      messageId: other,
      parentMessageId: parent,
    });
    expect(expectInvalid(reply)).toMatchObject([{ location: 'body.messageId' }]);
  });
});

describe('GET /threads', () => {
  it('200: those that the caller takes part in, unread ones first', async () => {
    const place = await createSession();
    const [quiet, busy, foreign] = [
      await post(place, org.member),
      await post(place),
      await post(place),
    ];
    await post(place, org.member, busy);
    const last = await post(place, org.admin, busy);
    await post(place, org.owner, foreign);
    await post(place, org.member, quiet);
    const { items, total } = await threadsOf(org.member);
    expect([idsOf({ items }), total]).toEqual([[busy, quiet], 2]);
    expect(items[0]).toMatchObject({
      parent: { id: busy, body: 'hello', replyCount: 2 },
      session: { id: place.id, name: 'Session', title: null },
      project: { slug: 'talk', name: 'Talk' },
      unreadCount: 1,
      lastReplyAt: expect.any(String),
    });
    expect(idsOf(await threadsOf(org.member, '?unread=true'))).toEqual([busy]);
    await mark('read', place, org.member, { messageId: last, parentMessageId: busy });
    expect(await threadsOf(org.member, '?unread=true')).toMatchObject({ items: [], total: 0 });
    expect(idsOf(await threadsOf(org.member))).toEqual([quiet, busy]);
  });

  it('200: nothing of Projects that the caller has left', async () => {
    const project = await createProject('Closed', { access: 'MEMBERS' });
    const membership = `/api/projects/${project.id}/members/${org.member.userId}`;
    await call('PUT', membership, org.owner);
    const place = await createSession(project);
    await post(place, org.owner, await post(place, org.member));
    expect(await threadsOf(org.member)).toMatchObject({ total: 1 });
    await call('DELETE', membership, org.owner);
    expect(await threadsOf(org.member)).toMatchObject({ items: [], total: 0 });
    expect(await overview(org.member)).toMatchObject({ total: 0, unreadTotal: 0 });
  });
});

describe('PUT …/unread', () => {
  it('200: the message and what follows, but nothing before it', async () => {
    const place = await createSession();
    const messages = [await post(place), await post(place), await post(place)];
    await mark('read', place, org.member, { messageId: messages[2] });
    const marked = await mark('unread', place, org.member, { messageId: messages[1] });
    expect([marked.status, marked.json.data.unreadCount]).toEqual([200, 2]);
    const { json } = await call('GET', place.path, org.member);
    expect(json.data.firstUnreadMessageId).toBe(messages[1]);
    await mark('read', place, org.member, { messageId: messages[1] });
    expect(await unreadIn(place, org.member)).toBe(1);
  });

  it('200: a reply, in its thread', async () => {
    const place = await createSession();
    const parent = await post(place);
    const reply = await post(place, org.owner, parent);
    await mark('read', place, org.member, { messageId: reply });
    await mark('unread', place, org.member, { messageId: reply });
    expect(await unreadIn(place, org.member)).toBe(1);
    expect(idsOf(await threadsOf(org.member, '?unread=true'))).toEqual([parent]);
  });

  it('400: a message of another session', async () => {
    const [place, other] = [await createSession(), await createSession(await createProject('B'))];
    const reply = await mark('unread', place, org.member, { messageId: await post(other) });
    expect(reply.status).toBe(400);
  });
});

it('PUT /sessions/read 204: marks everything as read, threads too, for the caller only', async () => {
  const [place, other] = [await createSession(), await createSession(await createProject('B'))];
  await post(place, org.owner, await post(place, org.member));
  await post(other);
  const { status } = await call('PUT', '/api/sessions/read', org.member);
  expect(status).toBe(204);
  expect(await overview(org.member)).toMatchObject({ unreadTotal: 0 });
  expect(await overview(org.admin)).toMatchObject({ unreadTotal: 3 });
  await post(other);
  expect(await overview(org.member)).toMatchObject({ unreadTotal: 1 });
});

it('tells nobody about a private session but its participants, also after they were taken out', async () => {
  const participantUserIds = [org.admin.userId, org.member.userId];
  const place = await createSession(undefined, { access: 'PARTICIPANTS', participantUserIds });
  const parent = await post(place, org.member);
  await post(place, org.admin, parent);
  const outsider = await addPerson(server.db, org.orgId, 'ADMIN');
  const nothing = { items: [], total: 0 };
  const expectNothing = async (person: Person) => {
    expect(await overview(person)).toMatchObject({ ...nothing, unreadTotal: 0 });
    expect(await overview(person, '?unread=true')).toMatchObject(nothing);
    expect(await threadsOf(person)).toMatchObject(nothing);
    expect((await mark('unread', place, person, { messageId: parent })).status).toBe(404);
  };
  await expectNothing(outsider);
  expect(await overview(org.member)).toMatchObject({ total: 1, unreadTotal: 1 });
  expect(await threadsOf(org.member)).toMatchObject({ total: 1 });

  const change = (ids: string[]) =>
    call('PATCH', place.path, org.owner, { participantUserIds: ids });
  await change([org.owner.userId]);
  await expectNothing(org.member);
  await call('PUT', '/api/sessions/read', org.member);
  await post(place, org.owner, parent);
  await expectNothing(org.member);
  // What they could not see was not read.
  await change([org.owner.userId, org.member.userId]);
  expect(await overview(org.member)).toMatchObject({ total: 1, unreadTotal: 2 });
});

describe('whoever comes to see a Project starts with everything read', () => {
  const closed = () => createProject('Closed', { access: 'MEMBERS' });
  const joining: [string, (project: Named, member: Person) => Promise<unknown>][] = [
    [
      'by being added',
      ({ id }, { userId }) => call('PUT', `/api/projects/${id}/members/${userId}`, org.owner),
    ],
    [
      'by becoming ADMIN',
      (_, { userId }) =>
        call('PATCH', `/api/org/${org.orgId}/members/${userId}`, org.owner, { role: 'ADMIN' }),
    ],
    [
      'because it was opened to everyone',
      ({ id }) => call('PATCH', `/api/projects/${id}`, org.owner, { access: 'ORG' }),
    ],
  ];
  it.each(joining)('%s', async (_, join) => {
    const project = await closed();
    const place = await createSession(project);
    await post(place);
    await join(project, org.member);
    expect(await unreadIn(place, org.member)).toBe(0);
    const old = await post(place);
    expect(await unreadIn(place, org.member)).toBe(1);
    await mark('read', place, org.member, { messageId: old });
    expect(await overview(org.member)).toMatchObject({ total: 1, unreadTotal: 0 });
  });

  it('by joining the organisation', async () => {
    const place = await createSession();
    await post(place);
    const late = await addPerson(server.db, org.orgId, 'MEMBER');
    expect(await overview(late)).toMatchObject({ total: 1, unreadTotal: 0 });
    await post(place, late, await post(place));
    expect(await unreadIn(place, late)).toBe(1);
  });

  it('also on coming back, whatever was marked as unread before', async () => {
    const project = await closed();
    const place = await createSession(project);
    const membership = `/api/projects/${project.id}/members/${org.member.userId}`;
    await call('PUT', membership, org.owner);
    await mark('unread', place, org.member, { messageId: await post(place) });
    expect(await unreadIn(place, org.member)).toBe(1);
    await call('DELETE', membership, org.owner);
    await call('PUT', membership, org.owner);
    expect(await unreadIn(place, org.member)).toBe(0);
  });

  it('but may mark older messages as unread', async () => {
    const project = await closed();
    const place = await createSession(project);
    const [old] = [await post(place), await post(place)];
    await joining[0]?.[1](project, org.member);
    const marked = await mark('unread', place, org.member, { messageId: old });
    expect(marked.json.data.unreadCount).toBe(2);
  });
});
