import { beforeEach, describe, expect, it } from 'vitest';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../test/harness/clients/event-stream.ts';
import { addPerson, createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';
import { invitationToken } from '../org/invitation-mail-job.ts';
import { purgeNotifications } from './service.ts';

const { server, call, send, org } = useServerWithNewOrgs({ worker: true });
let outsider: Person;
let projectId: string;
let sessionId: string;
let space: string;

/** A closed Project of the OWNER, with the ADMIN and the MEMBER, and not the outsider. */
beforeEach(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const body = { name: 'Closed', access: 'MEMBERS' };
  const project = await send('POST', '/api/projects', org.owner, body);
  projectId = project.id;
  space = `/api/spaces/${project.slug}`;
  await send('PUT', `/api/projects/${projectId}/members/${org.member.userId}`, org.owner);
  sessionId = (await send('POST', `${space}/sessions`, org.owner, { name: 'Talk' })).id;
  for (const [name, person] of Object.entries({ ...people(), outsider })) {
    await send('PATCH', '/api/me', person, { handle: name, name: `The ${name}` });
  }
});

const people = () => ({ owner: org.owner, admin: org.admin, member: org.member });

async function post(by: Person, body: string, parentMessageId?: string): Promise<string> {
  const path = `${space}/sessions/${sessionId}/messages`;
  return (await send('POST', path, by, { body, ...(parentMessageId && { parentMessageId }) })).id;
}

const list = (of: Person, query = '') => send('GET', `/api/notifications${query}`, of);

/** Kind and message, newest first. */
async function told(person: Person): Promise<[string, string][]> {
  const { items, unreadTotal } = await list(person);
  expect(unreadTotal).toBe(items.length);
  return items.map(({ kind, messageId }: { kind: string; messageId: string }) => [kind, messageId]);
}

const markRead = (by: Person, body: object) => call('PUT', '/api/notifications/read', by, body);

async function untilAllTold(): Promise<void> {
  const untold = () => server.db.query('SELECT 1 AS one FROM owed_events');
  await expect.poll(untold).toEqual([]);
}

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
      text: '@member @MEMBER @owner @outsider and @admin',
      isQuiet: false,
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
    await send('PATCH', `${space}/messages/${id}`, org.owner, { body: 'Hello @member' });
    expect(await told(org.member)).toEqual([]);
  });

  it('that is refused tells nobody', async () => {
    await send('DELETE', `${space}/sessions/${sessionId}`, org.owner);
    const path = `${space}/sessions/${sessionId}/messages`;
    expect((await call('POST', path, org.owner, { body: '@member' })).status).toBe(409);
    expect(await told(org.member)).toEqual([]);
  });

  it('follows what each person has chosen: everything, mentions only, or nothing but quiet mentions', async () => {
    const path = `${space}/sessions/${sessionId}`;
    const choose = (level: string) => send('PUT', `${path}/follow`, org.member, { level });
    const parent = await post(org.member, 'Who is in?');
    expect(await choose('MENTIONS')).toMatchObject({ level: 'MENTIONS', muted: false });
    await post(org.owner, 'Me', parent);
    expect(await told(org.member)).toEqual([]);
    const loud = await post(org.owner, '@member');
    expect(await told(org.member)).toEqual([['MENTION', loud]]);

    expect(await choose('NONE')).toMatchObject({ level: 'NONE', muted: true });
    await post(org.owner, 'Me', parent);
    const quiet = await post(org.owner, '@member');
    const { items } = await list(org.member);
    expect(items.map(({ id, isQuiet }: never) => [id, isQuiet])).toEqual([
      [quiet, true],
      [loud, false],
    ]);
    const due = await server.db.query(
      'SELECT id FROM notifications WHERE org_id = $1 AND user_id = $2 AND is_mail_due',
      [org.orgId, org.member.userId],
    );
    expect(due).toEqual([{ id: loud }]);

    expect((await send('GET', path, org.owner)).level).toBe('ALL');
    await choose('ALL');
    const reply = await post(org.owner, 'Me', parent);
    expect((await told(org.member))[0]).toEqual(['THREAD_REPLY', reply]);
  });

  it('tells of replies only those who follow the session', async () => {
    const parent = await post(org.member, 'Who is in?');
    const path = `${space}/sessions/${sessionId}/follow`;
    await send('DELETE', path, org.member);
    await post(org.owner, 'Me', parent);
    expect(await told(org.member)).toEqual([]);
    // Who follows is looked up when people are told, a moment later.
    await untilAllTold();
    const mention = await post(org.owner, '@member?', parent);
    const reply = await post(org.owner, 'Hello?', parent);
    expect(await told(org.member)).toEqual([
      ['THREAD_REPLY', reply],
      ['MENTION', mention],
    ]);
  });

  it('the older way to mute sets the level', async () => {
    const mute = (muted: boolean) =>
      send('PUT', `${space}/sessions/${sessionId}/mute`, org.member, { muted });
    expect(await mute(true)).toMatchObject({ id: sessionId, muted: true, level: 'NONE' });
    expect(await mute(true)).toMatchObject({ muted: true, level: 'NONE' });
    expect(await mute(false)).toMatchObject({ muted: false, level: 'ALL' });
    const follow = `${space}/sessions/${sessionId}/follow`;
    await send('PUT', follow, org.member, { level: 'MENTIONS' });
    expect(await mute(false)).toMatchObject({ muted: false, level: 'MENTIONS' });
    expect(await mute(true)).toMatchObject({ muted: true, level: 'NONE' });
  });
});

it('an accepted invitation tells who invited, in one sentence', async () => {
  const guest = (await createTestOrg(server.db)).owner;
  const path = `/api/org/${org.orgId}/invitations`;
  const body = { email: guest.email, role: 'MEMBER' };
  const { id } = await send('POST', path, org.admin, body);
  await send('POST', `/api/invitations/${invitationToken(server.tokens, id, 1)}/accept`, guest);
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
  await untilAllTold();
  const { items } = await list(org.member, '?limit=100');
  expect(items.map(({ id }: { id: string }) => id)).toEqual(ids);
});

it('a private session tells its participants only, and nobody who has left it', async () => {
  const { owner, member, admin } = org;
  const body = { name: 'Private', access: 'PARTICIPANTS', participantUserIds: [member.userId] };
  sessionId = (await send('POST', `${space}/sessions`, owner, body)).id;
  const id = await post(owner, '@member @admin between us');
  const reply = await post(member, 'Yes @admin', id);
  expect(await told(member)).toEqual([['MENTION', id]]);
  expect(await told(owner)).toEqual([['THREAD_REPLY', reply]]);
  expect(await told(admin)).toEqual([]);
  const change = { participantUserIds: [owner.userId] };
  await send('PATCH', `${space}/sessions/${sessionId}`, owner, change);
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
    await send('PATCH', `${space}/messages/${a}`, org.owner, { body: 'x'.repeat(400) });
    expect((await list(org.member, '?limit=1&unread=false')).items[0]).toMatchObject({
      id: a,
      text: 'x'.repeat(300),
    });
  });

  it('200: neither lists nor counts what the reader may no longer see', async () => {
    const kept = await post(org.owner, '@member @admin');
    const deleted = await post(org.owner, '@member @admin');
    await send('DELETE', `${space}/messages/${deleted}`, org.owner);
    expect(await told(org.member)).toEqual([['MENTION', kept]]);
    const membership = `/api/projects/${projectId}/members/${org.member.userId}`;
    await send('DELETE', membership, org.owner);
    expect(await told(org.member)).toEqual([]);
    expect(await told(org.admin)).toEqual([['MENTION', kept]]);
    await send('PUT', membership, org.owner);
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
      expect(problemsOf(await call('GET', `/api/notifications${query}`, org.admin))).toEqual([
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
      () => send('PUT', '/api/sessions/read', org.member),
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
    await send('PUT', `${space}/sessions/${sessionId}/read`, org.member, { messageId: seen });
    const { items } = await list(org.member, '?unread=true');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([unseen, reply]);
    expect((await list(org.admin)).unreadTotal).toBe(1);
  });

  it('200: marking all sessions as read reads everything', async () => {
    await post(org.owner, '@member look');
    expect((await list(org.member)).unreadTotal).toBe(1);
    await send('PUT', '/api/sessions/read', org.member);
    expect((await list(org.member)).unreadTotal).toBe(0);
  });

  it('403: a removed member has none left; another org has its own', async () => {
    await post(org.owner, '@member');
    await send('DELETE', `/api/org/${org.orgId}/members/${org.member.userId}`, org.owner);
    expectError(await call('GET', '/api/notifications', org.member), 'AUTH_ERROR');
    const rows = await server.db.query('SELECT 1 AS one FROM notifications WHERE user_id = $1', [
      org.member.userId,
    ]);
    expect(rows).toEqual([]);
  });
});

it('hints say that one was created or read, to their person only', async () => {
  const listen = (person: Person) => openEventsOf(server, person, org);
  const [member, admin] = await Promise.all([listen(org.member), listen(org.admin)]);
  const id = await post(org.owner, '@member');
  await markRead(org.member, { ids: [id] });
  await send('PATCH', `${space}/messages/${id}`, org.owner, { body: 'The end' });
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
  await untilAllTold();
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
