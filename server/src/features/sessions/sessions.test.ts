import { beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import { dataOf, expectInvalid, reasonOf } from '../../../test/harness/clients/envelope.ts';

const { server, call, org } = useServerWithOrg();
const otherOrg = useTestOrg(() => server.db);
let outsider: Person;

const OPEN = '/api/spaces/open/sessions';
const CLOSED = '/api/spaces/closed/sessions';

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  await call('POST', '/api/projects', org.owner, { name: 'Open' });
  const closed = await call('POST', '/api/projects', org.owner, {
    name: 'Closed',
    access: 'MEMBERS',
  });
  const membership = `/api/projects/${closed.json.data.id}/members/${org.member.userId}`;
  await call('PUT', membership, org.owner);
});

async function create(body: object = { name: 'Talk' }, path = OPEN, by = org.member) {
  return dataOf(await call('POST', path, by, body), 201);
}

const post = (session: { id: string }, body: string, by = org.owner) =>
  call('POST', `${OPEN}/${session.id}/messages`, by, { body });

describe('POST /spaces/{slug}/sessions', () => {
  it('201: every field of the record; the creator is a participant', async () => {
    const body = {
      name: ' Price list ',
      description: 'd',
      participantUserIds: [org.owner.userId, org.owner.userId],
      defaultAgent: 'Recall',
    };
    const session = await create(body);
    expect(session).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      projectId: expect.stringMatching(/^c[a-z0-9]{24}$/),
      access: 'PROJECT',
      kind: 'PROJECT',
      name: 'Price list',
      title: null,
      description: 'd',
      defaultAgent: 'recall',
      model: null,
      participantUserIds: [org.member.userId, org.owner.userId],
      taskId: null,
      status: 'ACTIVE',
      lastMessageAt: null,
      unreadCount: 0,
      answersWithoutMention: false,
      // It is the Project's first.
      isForEveryone: true,
      isFollowed: true,
      level: 'ALL',
      muted: false,
      createdById: org.member.userId,
      createdAt: expect.any(String),
      updatedAt: session.createdAt,
      archivedAt: null,
    });
  });

  it('400: names each participant who is not a member of the Project', async () => {
    const participantUserIds = [org.owner.userId, outsider.userId, otherOrg.owner.userId, 'nobody'];
    const reply = await call('POST', CLOSED, org.member, { name: 'x', participantUserIds });
    expect(expectInvalid(reply).map(({ location }) => location)).toEqual([
      'body.participantUserIds[1]',
      'body.participantUserIds[2]',
      'body.participantUserIds[3]',
    ]);
  });

  it.each([
    {},
    { name: ' ' },
    { name: 'x', title: 't' },
    { name: 'x', defaultAgent: 'a b' },
    { name: 'x', participantUserIds: [1] },
  ])('400: %j', async (body) => {
    expect((await call('POST', OPEN, org.member, body)).status).toBe(400);
  });

  it("403: not a member of the Project; 404: no such Project, or another org's", async () => {
    const attempt = (path: string, by: Person) => call('POST', path, by, { name: 'x' });
    expect(reasonOf(await attempt(CLOSED, outsider))).toEqual([403, 'not_project_member']);
    expect((await attempt('/api/spaces/nowhere/sessions', org.owner)).status).toBe(404);
    expect((await attempt(OPEN, otherOrg.owner)).status).toBe(404);
  });

  it('409: the Project is archived', async () => {
    const project = await call('POST', '/api/projects', org.owner, { name: 'Shelf' });
    const path = '/api/spaces/shelf/sessions';
    const session = await create({ name: 'before' }, path, org.owner);
    await call('DELETE', `/api/projects/${project.json.data.id}`, org.owner);
    for (const [method, target, body] of [
      ['POST', path, { name: 'after' }],
      ['PATCH', `${path}/${session.id}`, { title: 't' }],
      ['DELETE', `${path}/${session.id}`, undefined],
      ['POST', `${path}/${session.id}/messages`, { body: 'hello' }],
    ] as const) {
      const reply = await call(method, target, org.owner, body);
      expect(reasonOf(reply)).toEqual([409, 'project_archived']);
    }
    expect((await call('GET', `${path}/${session.id}`, org.owner)).status).toBe(200);
  });
});

describe('GET /spaces/{slug}/sessions', () => {
  it('200: latest activity first, paged, archived ones only if requested', async () => {
    await call('POST', '/api/projects', org.owner, { name: 'Order' });
    const path = '/api/spaces/order/sessions';
    const [a, b, c] = [
      await create({ name: 'a' }, path),
      await create({ name: 'b' }, path),
      await create({ name: 'c' }, path),
    ];
    await call('POST', `${path}/${a.id}/messages`, org.owner, { body: 'stir' });
    await call('DELETE', `${path}/${b.id}`, org.member);
    const names = async (query: string) => {
      const { data } = (await call('GET', path + query, org.member)).json;
      return { ...data, items: data.items.map((session: { name: string }) => session.name) };
    };
    expect(await names('')).toEqual({ items: ['a', 'c'], total: 2, page: 1, limit: 20 });
    expect(await names('?page=2&limit=1')).toMatchObject({ items: ['c'], total: 2 });
    expect(await names('?page=7')).toMatchObject({ items: [], total: 2 });
    expect(await names('?status=ARCHIVED')).toMatchObject({ items: ['b'], total: 1 });
    expect(c.name).toBe('c');
  });

  it('400, 403, 404', async () => {
    expect((await call('GET', `${OPEN}?status=GONE`, org.owner)).status).toBe(400);
    expect((await call('GET', CLOSED, outsider)).status).toBe(403);
    expect((await call('GET', '/api/spaces/nowhere/sessions', org.owner)).status).toBe(404);
  });
});

describe('GET /spaces/{slug}/sessions/{sessionId}', () => {
  it('200: the session; 404: under another slug, another org, malformed', async () => {
    const session = await create();
    expect((await call('GET', `${OPEN}/${session.id}`, org.owner)).json.data).toEqual({
      ...session,
      isFollowed: false,
      answersAs: 'recall',
      firstUnreadMessageId: null,
      summary: null,
    });
    for (const [path, by] of [
      [`${CLOSED}/${session.id}`, org.owner],
      [`${OPEN}/${session.id}`, otherOrg.owner],
      [`${OPEN}/x`, org.owner],
    ] as const) {
      expect((await call('GET', path, by)).status).toBe(404);
    }
  });
});

describe('PATCH /spaces/{slug}/sessions/{sessionId}', () => {
  it('200: sets, keeps and clears', async () => {
    const session = await create();
    const patch = (body: object) => call('PATCH', `${OPEN}/${session.id}`, org.owner, body);
    expect((await patch({ title: ' T ', model: 'recall' })).json.data).toMatchObject({
      title: 'T',
      model: 'recall',
    });
    expect((await patch({ title: null })).json.data).toMatchObject({
      title: null,
      model: 'recall',
    });
    const { updatedAt } = (await call('GET', `${OPEN}/${session.id}`, org.owner)).json.data;
    expect((await patch({})).json.data.updatedAt).toBe(updatedAt);
  });

  it('400: an unknown model, listing the available ones', async () => {
    const session = await create();
    const patched = await call('PATCH', `${OPEN}/${session.id}`, org.owner, { model: 'gpt-0' });
    expect(expectInvalid(patched)).toEqual([
      {
        location: 'body.model',
        code: 'invalid_value',
        message: 'is not a configured model, nor an agent of this Project; models: recall',
      },
    ]);
    const created = await call('POST', OPEN, org.owner, { name: 'x', defaultAgent: 'gpt-0' });
    expect(expectInvalid(created)[0]?.location).toBe('body.defaultAgent');
  });

  it('400: bounds, unknown fields', async () => {
    const session = await create();
    for (const body of [
      { title: 't'.repeat(201) },
      { title: '' },
      { name: 'x' },
      { model: '@x' },
    ]) {
      expect((await call('PATCH', `${OPEN}/${session.id}`, org.owner, body)).status).toBe(400);
    }
  });
});

describe('DELETE /spaces/{slug}/sessions/{sessionId}', () => {
  it('204: archives once; readable, but no longer writable', async () => {
    const session = await create();
    const message = (await post(session, 'kept')).json.data;
    const path = `${OPEN}/${session.id}`;
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    const archived = (await call('GET', path, org.member)).json.data;
    expect(archived).toMatchObject({ status: 'ARCHIVED', archivedAt: expect.any(String) });
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    expect((await call('GET', path, org.member)).json.data.archivedAt).toBe(archived.archivedAt);
    expect((await call('GET', `${path}/messages`, org.member)).json.data.items[0].body).toBe(
      'kept',
    );
    const messagePath = `/api/spaces/open/messages/${message.id}`;
    for (const [method, target, body] of [
      ['PATCH', path, { title: 'x' }],
      ['POST', `${path}/messages`, { body: 'late' }],
      ['POST', `${messagePath}/reactions`, { emoji: '👍' }],
      ['PATCH', messagePath, { body: 'other' }],
      ['DELETE', messagePath, undefined],
    ] as const) {
      const reply = await call(method, target, org.owner, body);
      expect([method, target, reply.status, reply.json.error.details.reason]).toEqual([
        method,
        target,
        409,
        'session_archived',
      ]);
    }
  });
});

describe('archiving and restoring a session', () => {
  it('403: neither its creator nor OWNER or ADMIN; nothing changes', async () => {
    const session = await create();
    const path = `${OPEN}/${session.id}`;
    expect(reasonOf(await call('DELETE', path, outsider))).toEqual([403, 'role']);
    expect((await call('GET', path, org.member)).json.data.status).toBe('ACTIVE');
    expect((await call('DELETE', path, org.admin)).status).toBe(204);
    expect((await call('POST', `${path}/restore`, outsider)).status).toBe(403);
    expect((await call('GET', path, org.member)).json.data.status).toBe('ARCHIVED');
  });

  it('200: listed and writable again; a second restore changes nothing', async () => {
    const session = await create();
    const path = `${OPEN}/${session.id}`;
    await call('DELETE', path, org.member);
    const restored = await call('POST', `${path}/restore`, org.member);
    expect([restored.status, restored.json.data]).toEqual([
      200,
      { ...session, updatedAt: expect.any(String) },
    ]);
    const again = await call('POST', `${path}/restore`, org.admin);
    expect(again.json.data.updatedAt).toBe(restored.json.data.updatedAt);
    expect((await post(session, 'back')).status).toBe(201);
    const { items } = (await call('GET', OPEN, org.member)).json.data;
    expect(items[0].id).toBe(session.id);
  });

  it('409: in an archived Project', async () => {
    const project = await call('POST', '/api/projects', org.owner, { name: 'Shut' });
    const path = '/api/spaces/shut/sessions';
    const session = await create({ name: 's' }, path);
    await call('DELETE', `${path}/${session.id}`, org.owner);
    await call('DELETE', `/api/projects/${project.json.data.id}`, org.owner);
    const reply = await call('POST', `${path}/${session.id}/restore`, org.owner);
    expect(reasonOf(reply)).toEqual([409, 'project_archived']);
  });
});

describe('read marks', () => {
  it('200: count what others wrote after the mark, which never moves back', async () => {
    const session = await create({ name: 'Talk', isForEveryone: true });
    const path = `${OPEN}/${session.id}`;
    const messages = [];
    for (let at = 0; at < 3; at++) messages.push((await post(session, `m${at}`)).json.data);
    await post(session, 'my own', org.member);
    const unread = async () => (await call('GET', path, org.member)).json.data.unreadCount;
    const read = (messageId: string) => call('PUT', `${path}/read`, org.member, { messageId });
    expect(await unread()).toBe(3);
    expect((await read(messages[1].id)).json.data.unreadCount).toBe(1);
    await read(messages[0].id);
    expect(await unread()).toBe(1);
    await call('DELETE', `/api/spaces/open/messages/${messages[2].id}`, org.owner);
    expect(await unread()).toBe(0);
    expect((await call('GET', path, org.admin)).json.data.unreadCount).toBe(3);
  });

  it('400: a message of another session', async () => {
    const [session, other] = [await create(), await create()];
    const foreign = (await post(other, 'there')).json.data;
    const reply = await call('PUT', `${OPEN}/${session.id}/read`, org.member, {
      messageId: foreign.id,
    });
    expect(reply.status).toBe(400);
  });
});
