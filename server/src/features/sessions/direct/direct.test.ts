import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../app/api.ts';
import { fullPath } from '../../../http/route.ts';
import { expectError, problemsOf, reasonOf } from '../../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../../test/harness/clients/event-stream.ts';
import { readExport } from '../../../../test/harness/clients/untar.ts';
import { addPerson, createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import { BODIES } from '../../../../test/harness/route-bodies.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { tellEverybody } from '../../../../test/harness/stages/tell-everybody.ts';

const { server, call, send, org } = useServerWithNewOrgs();
const SESSIONS = '/api/spaces/direct/sessions';

const attempt = (by: Person, ...others: Person[]) =>
  call('POST', '/api/direct', by, { userIds: others.map(({ userId }) => userId) });
const open = async (by: Person, ...others: Person[]) => {
  const session = (await attempt(by, ...others)).json.data;
  return { session, id: session.id as string, path: `${SESSIONS}/${session.id}` };
};
const say = (path: string, by: Person, body: string, parentMessageId?: string) =>
  send('POST', `${path}/messages`, by, { body, ...(parentMessageId && { parentMessageId }) });
const add = () => addPerson(server.db, org.orgId, 'MEMBER');

async function told(person: Person): Promise<string[]> {
  await tellEverybody(server.db);
  const { items } = await send('GET', '/api/notifications', person);
  return items.map(({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`);
}

describe('POST /direct', () => {
  it('200: makes a private session of exactly these people', async () => {
    const { session, path } = await open(org.member, org.owner);
    expect(session).toMatchObject({
      kind: 'DIRECT',
      access: 'PARTICIPANTS',
      name: 'Direct message',
      participantUserIds: [org.member.userId, org.owner.userId],
      isFollowed: true,
      isForEveryone: false,
      createdById: org.member.userId,
    });
    expect(await send('GET', path, org.owner)).toMatchObject({ id: session.id, kind: 'DIRECT' });
  });

  it('200: returns the same one, whoever asks, in any order, named twice or with the same key', async () => {
    const other = await add();
    const { id } = await open(org.member, org.owner, other);
    for (const reply of [
      await attempt(org.member, other, org.owner, other),
      await attempt(other, org.owner, org.member),
      await attempt(org.owner, org.member, other),
    ]) {
      expect(reply.json.data.id).toBe(id);
    }
    const headers = { 'idempotency-key': 'direct' };
    const body = { userIds: [org.admin.userId] };
    const [first, again] = [
      await call('POST', '/api/direct', { key: org.owner.key, body, headers }),
      await call('POST', '/api/direct', { key: org.owner.key, body, headers }),
    ];
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('200: makes one, however many ask at once, also for the first of the organisation', async () => {
    const askers = [org.owner, org.member, org.admin];
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const asker = askers[at % 3] as Person;
        return attempt(asker, ...askers.filter((person) => person !== asker));
      }),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ json }) => json.data.id)).size).toBe(1);
    expect((await send('GET', SESSIONS, org.owner)).total).toBe(1);
  });

  it('200: one more person, or one less, is another conversation', async () => {
    const [two, three] = [
      await open(org.owner, org.member),
      await open(org.owner, org.member, org.admin),
    ];
    await say(two.path, org.owner, 'Of the two');
    expect(three.id).not.toBe(two.id);
    expect((await call('GET', two.path, org.admin)).status).toBe(404);
    expect((await send('GET', `${three.path}/messages`, org.admin)).items).toEqual([]);
  });

  it('400: nobody, too many, oneself, and people who are not members', async () => {
    const stranger = (await createTestOrg(server.db)).owner;
    const ask = (userIds: unknown) => call('POST', '/api/direct', org.owner, { userIds });
    expect(problemsOf(await ask([]))).toEqual(['body.userIds too_few']);
    expect(problemsOf(await ask(Array.from({ length: 9 }, (_, at) => `c${at}`)))).toEqual([
      'body.userIds too_many',
    ]);
    expect(problemsOf(await ask([org.member.userId, org.owner.userId]))).toEqual([
      'body.userIds[1] invalid_value',
    ]);
    expect(problemsOf(await ask([org.member.userId, stranger.userId, 'nobody']))).toEqual([
      'body.userIds[1] invalid_value',
      'body.userIds[2] invalid_value',
    ]);
    expect((await send('GET', SESSIONS, org.owner)).total).toBe(0);
  });
});

describe('a direct conversation', () => {
  it('404 for everyone else, OWNER and ADMIN included', async () => {
    const other = await add();
    const { id, path } = await open(org.member, other);
    const messageId = (await say(path, org.member, 'Between us')).id;
    const inside = ROUTES.filter(
      ({ path: template, auth }) => /\{(session|message)Id\}/.test(template) && auth === 'user',
    );
    expect(inside.length).toBeGreaterThan(20);
    for (const route of inside) {
      const target = fullPath(route)
        .replace('{slug}', 'direct')
        .replace('{sessionId}', id)
        .replace('{messageId}', messageId)
        .replace('{mention}', 'model')
        .replace('{emoji}', encodeURIComponent('👍'));
      for (const person of [org.owner, org.admin]) {
        const body = BODIES[route.operationId]?.({ messageId });
        expectError(await call(route.method, target, person, body), 'NOT_FOUND');
      }
    }
    for (const person of [org.owner, org.admin]) {
      expect((await send('GET', SESSIONS, person)).items).toEqual([]);
      expect((await send('GET', '/api/sessions', person)).items).toEqual([]);
      const { items } = await send('POST', '/api/messages/search', person, { query: 'between' });
      expect(items).toEqual([]);
    }
    const audit = await call('GET', `/api/org/${org.orgId}/audit?limit=100`, org.owner);
    expect(audit.text).not.toContain('session.created');
    expect(audit.text).not.toContain(id);
  });

  it('409: its people stay, and it can be neither archived nor left, nor made elsewhere', async () => {
    const { path } = await open(org.owner, org.member);
    const refused = [409, 'direct_session'];
    const participantUserIds = [org.owner.userId, org.member.userId, org.admin.userId];
    expect(reasonOf(await call('PATCH', path, org.owner, { participantUserIds }))).toEqual(refused);
    expect(reasonOf(await call('DELETE', path, org.owner))).toEqual(refused);
    expect(reasonOf(await call('DELETE', `${path}/follow`, org.member))).toEqual(refused);
    expect(reasonOf(await call('POST', SESSIONS, org.owner, { name: 'x' }))).toEqual(refused);
    const changed = await send('PATCH', path, org.member, { title: 'Lunch' });
    expect(changed).toMatchObject({ title: 'Lunch', kind: 'DIRECT', isFollowed: true });
    expect(changed.participantUserIds).toHaveLength(2);
  });

  it('is found by its people: lists, unread, search, hints, exports', async () => {
    const [inside, outside] = [
      await openEventsOf(server, org.owner, org),
      await openEventsOf(server, org.admin, org),
    ];
    const { id, path } = await open(org.member, org.owner);
    await say(path, org.member, 'The pretzel budget');
    const heard = await inside.takeUntil('message.created', { sessionId: id });
    expect(heard.map(({ type }) => type)).toEqual(['session.created']);
    const listed = await send('GET', '/api/sessions?followed=true', org.owner);
    expect(listed).toMatchObject({ items: [{ id, unreadCount: 1 }], unreadTotal: 1 });
    const query = { query: 'pretzel' };
    expect((await send('POST', '/api/messages/search', org.owner, query)).items).toMatchObject([
      { session: { id }, project: { slug: 'direct', name: 'Direct messages' } },
    ]);
    const fence = await send('POST', '/api/memory', org.owner, { content: 'f', visibility: 'ORG' });
    const others = await outside.takeUntil('memory.changed', { memoryId: fence.id });
    expect(others).toEqual([]);
    for (const stream of [inside, outside]) stream.close();
    const response = await fetch(`${server.origin}/api/me/export`, {
      headers: { authorization: `Bearer ${org.member.key}` },
    });
    const own = readExport(new Uint8Array(await response.arrayBuffer()));
    expect(own['sessions']).toMatchObject([{ id, kind: 'DIRECT' }]);
    expect(own['projects']).toEqual([]);
  });

  it('one who leaves the organisation can’t read it, and finds it again after coming back', async () => {
    const { id, path } = await open(org.owner, org.member);
    await say(path, org.member, 'Bye');
    const member = `/api/org/${org.orgId}/members/${org.member.userId}`;
    await send('DELETE', member, org.owner);
    const { participantUserIds } = await send('GET', path, org.owner);
    expect(participantUserIds).toEqual([org.owner.userId, org.member.userId]);
    await say(path, org.owner, 'Are you there?');
    expect(problemsOf(await attempt(org.owner, org.member))).toEqual([
      'body.userIds[0] invalid_value',
    ]);
    await server.db.query(
      `INSERT INTO memberships (org_id, user_id, role, handle) VALUES ($1, $2, 'MEMBER', 'back')`,
      [org.orgId, org.member.userId],
    );
    const again = await open(org.owner, org.member);
    expect(again.id).toBe(id);
  });
});

describe('a message in it', () => {
  it('tells the others, each time; its author, an edit and an agent tell nobody', async () => {
    const { path } = await open(org.member, org.owner, org.admin);
    const first = await say(path, org.member, 'Hello **there**');
    expect(await told(org.owner)).toEqual(['DIRECT_MESSAGE Hello there']);
    expect(await told(org.member)).toEqual([]);
    await say(path, org.owner, 'In the thread', first.id);
    expect(await told(org.admin)).toEqual([
      'DIRECT_MESSAGE In the thread',
      'DIRECT_MESSAGE Hello there',
    ]);
    await send('PATCH', `/api/spaces/direct/messages/${first.id}`, org.member, { body: 'Edited' });
    expect(await told(org.owner)).toEqual(['DIRECT_MESSAGE Edited']);
    await send('PUT', `${path}/read`, org.owner, { messageId: first.id });
    expect((await send('GET', '/api/notifications?unread=true', org.owner)).items).toEqual([]);
  });

  it('follows the level: MENTIONS tells of mentions, NONE quietly', async () => {
    const { handle } = await send('GET', '/api/me', org.owner);
    const { path } = await open(org.member, org.owner);
    await send('PUT', `${path}/follow`, org.owner, { level: 'MENTIONS' });
    await say(path, org.member, 'One');
    await say(path, org.member, `@${handle} two`);
    expect(await told(org.owner)).toEqual([`MENTION @${handle} two`]);
    await send('PUT', `${path}/follow`, org.owner, { level: 'NONE' });
    await say(path, org.member, 'Three');
    expect(await told(org.owner)).toHaveLength(1);
    expect((await send('GET', path, org.owner)).unreadCount).toBe(3);
  });

  it('is mailed to those who are mailed about mentions, unless it is muted', async () => {
    const mailed = async () =>
      (
        await server.db.query(
          `SELECT 1 AS one FROM notifications WHERE user_id = $1 AND is_mail_due`,
          [org.owner.userId],
        )
      ).length;
    const { path } = await open(org.member, org.owner);
    await say(path, org.member, 'One');
    await told(org.owner);
    expect(await mailed()).toBe(1);
    await send('PATCH', '/api/me', org.owner, { emailNotifications: 'NONE' });
    await say(path, org.member, 'Two');
    await told(org.owner);
    expect(await mailed()).toBe(1);
  });
});

describe('where they are kept', () => {
  it('is in no list of Projects, and is no Project for anything else', async () => {
    const { session } = await open(org.owner, org.member);
    const id = session.projectId as string;
    const project = `/api/projects/${id}`;
    expect((await send('GET', '/api/projects', org.owner)).items).toEqual([]);
    expect((await send('GET', '/api/projects?slug=direct', org.owner)).items).toEqual([]);
    const requests: [method: string, path: string, body?: object][] = [
      ['GET', project],
      ['PATCH', project, { name: 'Mine' }],
      ['DELETE', project],
      ['GET', `${project}/members`],
      ['PUT', `${project}/members/${org.member.userId}`],
      ['GET', `${project}/tasks`],
      ['POST', `${project}/tasks`, { title: 't' }],
      ['GET', `${project}/channels`],
      ['POST', '/api/memory', { content: 'm', visibility: 'PROJECT', projectId: id }],
      ['POST', '/api/agents', { slug: 'mine', name: 'Mine', projectIds: [id] }],
    ];
    for (const [method, path, body] of requests) {
      const reply = await call(method, path, org.owner, body);
      expect(reply.status, `${method} ${path} ${reply.text}`).toBe(404);
    }
    // Whoever opened the first conversation has no Project of their own because of it.
    const connections = await call('GET', '/api/channel-connections', org.member);
    expect(connections.status).toBe(403);
  });

  it('409: nobody can give a Project its slug; one that has it is renamed', async () => {
    const taken = await call('POST', '/api/projects', org.owner, { name: 'Direct!' });
    expect(reasonOf(taken)).toEqual([409, 'slug_taken']);
    const { id } = await send('POST', '/api/projects', org.owner, { name: 'Ours' });
    await server.db.query(`UPDATE projects SET slug = 'direct' WHERE org_id = $1 AND id = $2`, [
      org.orgId,
      id,
    ]);
    const { path } = await open(org.owner, org.member);
    await say(path, org.owner, 'Hello');
    const { items } = await send('GET', '/api/projects', org.owner);
    expect(items).toMatchObject([{ id, name: 'Ours', slug: `direct-${id.slice(-8)}` }]);
  });
});
