import { beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { openEvents } from '../../../test/harness/clients/event-stream.ts';
import { addPerson, createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { useTestServer } from '../../../test/harness/processes/use-test-server.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import { invitationToken } from '../org/invitation-mail-job.ts';
import { purgeNotifications } from './service.ts';

const server = useTestServer({ worker: true });
const { call } = server;
const org = useNewOrg(() => server.db);
let outsider: Person;
let projectId: string;
let sessionId: string;
let space: string;

/** A closed Project of the OWNER, with the ADMIN and the MEMBER, and not the outsider. */
beforeEach(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const body = { name: 'Closed', access: 'MEMBERS' };
  const project = (await send(org.owner, 'POST', '/projects', body)).json.data;
  projectId = project.id;
  space = `/spaces/${project.slug}`;
  await send(org.owner, 'PUT', `/projects/${projectId}/members/${org.member.userId}`);
  sessionId = (await send(org.owner, 'POST', `${space}/sessions`, { name: 'Talk' })).json.data.id;
  for (const [name, person] of Object.entries({ ...people(), outsider })) {
    await send(person, 'PATCH', '/me', { handle: name, name: `The ${name}` });
  }
});

const people = () => ({ owner: org.owner, admin: org.admin, member: org.member });

async function send({ key }: { key: string }, method: string, path: string, body?: object) {
  const reply = await call(method, `/api${path}`, { key, ...(body && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}

async function post(by: Person, body: string, parentMessageId?: string): Promise<string> {
  const path = `${space}/sessions/${sessionId}/messages`;
  return (await send(by, 'POST', path, { body, ...(parentMessageId && { parentMessageId }) })).json
    .data.id;
}

async function list(of: Person, query = '') {
  return (await send(of, 'GET', `/notifications${query}`)).json.data;
}

/** Kind and message, newest first. */
async function told(person: Person): Promise<[string, string][]> {
  const { items, unreadTotal } = await list(person);
  expect(unreadTotal).toBe(items.length);
  return items.map(({ kind, messageId }: { kind: string; messageId: string }) => [kind, messageId]);
}

const markRead = (by: Person, body: object) =>
  call('PUT', '/api/notifications/read', { key: by.key, body });

describe('a message', () => {
  it('tells those it mentions, once each, and not its author or anybody outside', async () => {
    const id = await post(org.owner, '@member @MEMBER @owner @outsider and `@admin`');
    expect(await told(org.member)).toEqual([['MENTION', id]]);
    for (const person of [org.owner, org.admin, outsider]) expect(await told(person)).toEqual([]);
    const [item] = (await list(org.member)).items;
    expect(item).toEqual({
      id,
      kind: 'MENTION',
      projectId,
      projectSlug: 'closed',
      projectName: 'Closed',
      sessionId,
      sessionName: 'Talk',
      messageId: id,
      taskId: null,
      taskNumber: null,
      actorUserId: org.owner.userId,
      actorName: 'The owner',
      actorAgent: null,
      text: '@member @MEMBER @owner @outsider and `@admin`',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      readAt: null,
    });
  });

  it('in a thread tells its author and everybody who replied, and a mention comes first', async () => {
    const first = await post(org.owner, 'Shall we?');
    const second = await post(org.admin, 'Yes', first);
    const third = await post(org.member, 'No', first);
    const fourth = await post(org.owner, '@member why?', first);
    expect(await told(org.owner)).toEqual([
      ['THREAD_REPLY', third],
      ['THREAD_REPLY', second],
    ]);
    expect(await told(org.admin)).toEqual([
      ['THREAD_REPLY', fourth],
      ['THREAD_REPLY', third],
    ]);
    expect(await told(org.member)).toEqual([['MENTION', fourth]]);
  });

  it('tells nobody when it is edited', async () => {
    const id = await post(org.owner, 'Hello');
    await send(org.owner, 'PATCH', `${space}/messages/${id}`, { body: 'Hello @member' });
    expect(await told(org.member)).toEqual([]);
  });

  it('that is refused tells nobody', async () => {
    await send(org.owner, 'DELETE', `${space}/sessions/${sessionId}`);
    const path = `/api${space}/sessions/${sessionId}/messages`;
    const refused = await call('POST', path, { key: org.owner.key, body: { body: '@member' } });
    expect(refused.status).toBe(409);
    expect(await told(org.member)).toEqual([]);
  });

  it('tells nobody who has muted the session, until they unmute it', async () => {
    const mute = (muted: boolean) =>
      send(org.member, 'PUT', `${space}/sessions/${sessionId}/mute`, { muted });
    expect((await mute(true)).json.data).toMatchObject({ id: sessionId, muted: true });
    const shown = await send(org.owner, 'GET', `${space}/sessions/${sessionId}`);
    expect(shown.json.data.muted).toBe(false);
    await post(org.owner, '@member');
    expect(await told(org.member)).toEqual([]);
    await mute(true);
    expect((await mute(false)).json.data.muted).toBe(false);
    expect(await told(org.member)).toEqual([]);
    expect(await told(org.member)).toHaveLength(0);
    const id = await post(org.owner, '@member');
    expect(await told(org.member)).toEqual([['MENTION', id]]);
  });
});

it('an accepted invitation tells who invited, in one sentence', async () => {
  const guest = (await createTestOrg(server.db)).owner;
  const path = `/org/${org.orgId}/invitations`;
  const body = { email: guest.email, role: 'MEMBER' };
  const { id } = (await send(org.admin, 'POST', path, body)).json.data;
  await send(guest, 'POST', `/invitations/${invitationToken(server.tokens, id, 1)}/accept`);
  expect((await list(org.admin)).items).toMatchObject([
    {
      id,
      kind: 'INVITATION_ACCEPTED',
      projectId: null,
      messageId: null,
      actorUserId: guest.userId,
      text: expect.stringMatching(/^owner\d+ accepted your invitation\.$/),
    },
  ]);
  expect(await told(org.owner)).toEqual([]);
});

it('is there for whoever looks at once, and once when everybody was told', async () => {
  const ids = [];
  for (let at = 0; at < 30; at++) {
    ids.unshift(await post(org.owner, `@member ${at}`));
    expect((await list(org.member, '?limit=1')).items[0].id).toBe(ids[0]);
  }
  const untold = () => server.db.query('SELECT 1 AS one FROM owed_events');
  await expect.poll(untold).toEqual([]);
  const { items } = await list(org.member, '?limit=100');
  expect(items.map(({ id }: { id: string }) => id)).toEqual(ids);
});

it('a private session tells its participants only, and nobody who has left it', async () => {
  const { owner, member, admin } = org;
  const body = { name: 'Private', access: 'PARTICIPANTS', participantUserIds: [member.userId] };
  sessionId = (await send(owner, 'POST', `${space}/sessions`, body)).json.data.id;
  const id = await post(owner, '@member @admin between us');
  const reply = await post(member, 'Yes @admin', id);
  expect(await told(member)).toEqual([['MENTION', id]]);
  expect(await told(owner)).toEqual([['THREAD_REPLY', reply]]);
  expect(await told(admin)).toEqual([]);
  const change = { participantUserIds: [owner.userId] };
  await send(owner, 'PATCH', `${space}/sessions/${sessionId}`, change);
  expect(await told(member)).toEqual([]);
  await post(owner, '@member behind your back');
  expect(await told(member)).toEqual([]);
  expect(await told(owner)).toEqual([['THREAD_REPLY', reply]]);
});

describe('GET /notifications', () => {
  it('200: pages, unread ones only, and the text as it is now', async () => {
    const ids = [];
    for (let at = 0; at < 5; at++) ids.push(await post(org.owner, `@member ${at}`));
    const [a, b, c, d, e] = ids.toReversed();
    const page = await list(org.member, '?limit=2');
    expect(page).toMatchObject({ unreadTotal: 5, nextBefore: b, hasMore: true });
    expect((await markRead(org.member, { ids: [b, d] })).json.data).toEqual({ unreadTotal: 3 });
    const next = await list(org.member, `?limit=2&before=${b}&unread=true`);
    expect(next.items.map(({ id }: { id: string }) => id)).toEqual([c, e]);
    expect(next).toMatchObject({ unreadTotal: 3, nextBefore: null, hasMore: false });
    await send(org.owner, 'PATCH', `${space}/messages/${a}`, { body: 'x'.repeat(400) });
    expect((await list(org.member, '?limit=1&unread=false')).items[0]).toMatchObject({
      id: a,
      text: 'x'.repeat(300),
    });
  });

  it('200: neither lists nor counts what the reader may no longer see', async () => {
    const kept = await post(org.owner, '@member @admin');
    const deleted = await post(org.owner, '@member @admin');
    await send(org.owner, 'DELETE', `${space}/messages/${deleted}`);
    expect(await told(org.member)).toEqual([['MENTION', kept]]);
    const membership = `/projects/${projectId}/members/${org.member.userId}`;
    await send(org.owner, 'DELETE', membership);
    expect(await told(org.member)).toEqual([]);
    expect(await told(org.admin)).toEqual([['MENTION', kept]]);
    await send(org.owner, 'PUT', membership);
    expect(await told(org.member)).toEqual([['MENTION', kept]]);
  });

  it('400: a cursor of somebody else, a flag that is none', async () => {
    const id = await post(org.owner, '@member');
    for (const [query, problem] of [
      [`?before=${id}`, 'query.before invalid_value'],
      ['?before=x', 'query.before invalid_value'],
      ['?unread=yes', 'query.unread invalid_type'],
      ['?limit=101', 'query.limit too_big'],
      ['?kind=MENTION', 'query.kind unknown_field'],
    ]) {
      const { key } = org.admin;
      expect(problemsOf(await call('GET', `/api/notifications${query}`, { key }))).toEqual([
        problem,
      ]);
    }
  });
});

describe('PUT /notifications/read', () => {
  it('200: by ids, whoever they belong to; only those of the caller are read', async () => {
    const id = await post(org.owner, '@member @admin');
    const reply = await markRead(org.member, { ids: [id, id, 'nothing', 'c'.repeat(25)] });
    expect([reply.status, reply.json.data]).toEqual([200, { unreadTotal: 0 }]);
    expect((await list(org.member)).items[0].readAt).toMatch(/^\d{4}-/);
    expect((await list(org.admin)).unreadTotal).toBe(1);
    const first = (await list(org.member)).items[0].readAt;
    await markRead(org.member, { ids: [id] });
    expect((await list(org.member)).items[0].readAt).toBe(first);
  });

  it('200: until a time', async () => {
    await post(org.owner, '@member one');
    const [{ createdAt }] = (await list(org.member)).items;
    const before = new Date(Date.parse(createdAt) - 1).toISOString();
    expect((await markRead(org.member, { until: before })).json.data.unreadTotal).toBe(1);
    expect((await markRead(org.member, { until: createdAt })).json.data.unreadTotal).toBe(0);
  });

  it("200: what another process's clock has dated in the future, until its time or with everything", async () => {
    for (const read of [
      (until: string) => markRead(org.member, { until }),
      () => send(org.member, 'PUT', '/sessions/read'),
    ]) {
      const id = await post(org.owner, '@member soon');
      expect((await list(org.member)).unreadTotal).toBe(1);
      await server.db.query(
        `UPDATE notifications SET created_at = now() + interval '5 minutes' WHERE id = $1`,
        [id],
      );
      await read((await list(org.member)).items[0].createdAt);
      expect((await list(org.member)).unreadTotal).toBe(0);
    }
  });

  it('400: both or neither, a time in the future, too many ids', async () => {
    const future = new Date(Date.now() + 60_000).toISOString();
    for (const [body, problem] of [
      [{}, 'body invalid_value'],
      [{ ids: [], until: new Date(0).toISOString() }, 'body invalid_value'],
      [{ ids: [], taskId: 'x' }, 'body invalid_value'],
      [{ until: future }, 'body.until invalid_value'],
      [{ until: 'today' }, 'body.until invalid_format'],
      [{ ids: Array.from({ length: 1_001 }, () => 'x') }, 'body.ids too_many'],
      [{ id: 'x' }, 'body.id unknown_field'],
    ] as const) {
      expect(problemsOf(await markRead(org.member, body))).toEqual([problem]);
    }
  });

  it('200: reading the session reads what is about its messages, but not replies in threads', async () => {
    const first = await post(org.member, 'Shall we?');
    const seen = await post(org.owner, '@member @admin seen');
    const reply = await post(org.owner, '@member in a thread', first);
    const unseen = await post(org.owner, '@member unseen');
    await send(org.member, 'PUT', `${space}/sessions/${sessionId}/read`, { messageId: seen });
    const { items } = await list(org.member, '?unread=true');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([unseen, reply]);
    expect((await list(org.admin)).unreadTotal).toBe(1);
  });

  it('200: marking all sessions as read reads everything', async () => {
    await post(org.owner, '@member look');
    expect((await list(org.member)).unreadTotal).toBe(1);
    await send(org.member, 'PUT', '/sessions/read');
    expect((await list(org.member)).unreadTotal).toBe(0);
  });

  it('403: a removed member has none left; another org has its own', async () => {
    await post(org.owner, '@member');
    await send(org.owner, 'DELETE', `/org/${org.orgId}/members/${org.member.userId}`);
    const { key } = org.member;
    expectError(await call('GET', '/api/notifications', { key }), 'AUTH_ERROR');
    const rows = await server.db.query('SELECT 1 AS one FROM notifications WHERE user_id = $1', [
      org.member.userId,
    ]);
    expect(rows).toEqual([]);
  });
});

it('hints say that one was created or read, to their person only', async () => {
  const listen = async ({ email }: Person) => {
    const { cookie } = await signIn(server, email);
    return openEvents(server.origin, { cookie, org: org.orgId });
  };
  const [member, admin] = await Promise.all([listen(org.member), listen(org.admin)]);
  const id = await post(org.owner, '@member');
  await markRead(org.member, { ids: [id] });
  await send(org.owner, 'PATCH', `${space}/messages/${id}`, { body: 'The end' });
  const heard = async (stream: typeof member) =>
    (await stream.takeUntil('message.updated')).map(({ type }) => type);
  expect(await heard(member)).toEqual([
    'message.created',
    'notification.created',
    'notification.read',
  ]);
  expect(await heard(admin)).toEqual(['message.created']);
  for (const stream of [member, admin]) stream.close();
});

it('is kept for 90 days', async () => {
  const old = await post(org.owner, '@member old');
  const young = await post(org.owner, '@member young');
  const untold = () => server.db.query('SELECT 1 AS one FROM owed_events');
  await expect.poll(untold).toEqual([]);
  const age = (id: string, days: number) =>
    server.db.query(
      `UPDATE notifications SET created_at = now() - make_interval(days => $2) WHERE id = $1`,
      [id, days],
    );
  await age(old, 91);
  await age(young, 89);
  expect(await purgeNotifications(server.db)).toBe(1);
  expect(await told(org.member)).toEqual([['MENTION', young]]);
});
