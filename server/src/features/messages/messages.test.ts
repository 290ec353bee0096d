import { beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useTestServer } from '../../../test/harness/processes/use-test-server.ts';
import { useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import { dataOf } from '../../../test/harness/clients/envelope.ts';

const server = useTestServer();
const { call } = server;
const org = useTestOrg(() => server.db);
const otherOrg = useTestOrg(() => server.db);
let outsider: Person;

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  await call('POST', '/api/projects', { key: org.owner.key, body: { name: 'Talk' } });
  await call('POST', '/api/projects', {
    key: org.owner.key,
    body: { name: 'Secret', access: 'MEMBERS' },
  });
});

const PREFIX = '/api/spaces/talk';

async function createSession(space = 'talk'): Promise<string> {
  const reply = await call('POST', `/api/spaces/${space}/sessions`, {
    key: org.owner.key,
    body: { name: 's' },
  });
  return reply.json.data.id;
}

const messagesOf = (sessionId: string) => `${PREFIX}/sessions/${sessionId}/messages`;

async function post(sessionId: string, body: object | string, key = org.member.key) {
  return dataOf(
    await call('POST', messagesOf(sessionId), {
      key,
      body: typeof body === 'string' ? { body } : body,
    }),
    201,
  );
}

async function list(sessionId: string, query = '') {
  return dataOf(await call('GET', messagesOf(sessionId) + query, { key: org.member.key }), 200);
}

const bodies = (page: { items: { body: string }[] }) => page.items.map((message) => message.body);

describe('POST …/messages', () => {
  it('201: every field of the record, equal to what the list then shows', async () => {
    const session = await createSession();
    const message = await post(session, '@Recall and `@code`, what about a@model.com?');
    expect(message).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      sessionId: session,
      parentMessageId: null,
      authorKind: 'USER',
      authorUserId: org.member.userId,
      externalAuthor: null,
      agentSlug: null,
      inReplyToMessageId: null,
      body: '@Recall and `@code`, what about a@model.com?',
      mentions: ['recall'],
      status: 'COMPLETED',
      error: null,
      citations: [],
      toolCalls: [],
      pendingReplies: [{ mention: 'recall', startedAt: message.createdAt }],
      mentionedUserIds: [],
      tasks: [],
      reactions: [],
      replyCount: 0,
      usage: null,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      editedAt: null,
      deletedAt: null,
    });
    expect((await list(session)).items).toEqual([message]);
    expect(
      (await call('GET', `${PREFIX}/messages/${message.id}`, { key: org.owner.key })).json.data,
    ).toEqual(message);
  });

  it('201: once for one Idempotency-Key', async () => {
    const session = await createSession();
    const send = () =>
      call('POST', messagesOf(session), {
        key: org.member.key,
        body: { body: 'once' },
        headers: { 'idempotency-key': 'message-once' },
      });
    const [first, second] = await Promise.all([send(), send()]);
    expect(first.text).toBe(second.text);
    expect((await list(session)).total).toBe(1);
  });

  it('201: thread replies, counted on their parent', async () => {
    const session = await createSession();
    const parent = await post(session, 'parent');
    const reply = await post(session, { body: 'reply', parentMessageId: parent.id });
    expect(reply.parentMessageId).toBe(parent.id);
    expect(bodies(await list(session))).toEqual(['reply', 'parent']);
    expect((await list(session)).items[1].replyCount).toBe(1);
    const thread = await list(session, `?parentMessageId=${parent.id}`);
    expect(thread).toMatchObject({
      items: [{ body: 'reply' }],
      total: 1,
      hasMore: false,
      nextBefore: null,
    });
  });

  it('400: a parent that is a reply, in another session, or missing', async () => {
    const [session, other] = [await createSession(), await createSession()];
    const parent = await post(session, 'parent');
    const reply = await post(session, { body: 'reply', parentMessageId: parent.id });
    const foreign = await post(other, 'foreign');
    for (const parentMessageId of [reply.id, foreign.id, 'caaaaaaaaaaaaaaaaaaaaaaaa', 'x']) {
      const refused = await call('POST', messagesOf(session), {
        key: org.member.key,
        body: { body: 'x', parentMessageId },
      });
      expect(refused.status).toBe(400);
      expect(refused.json.error.details.errors[0].location).toBe('body.parentMessageId');
    }
    expect((await list(session)).total).toBe(2);
  });

  it.each([
    {},
    { body: '' },
    { body: ' \n ' },
    { body: 'x'.repeat(20_001) },
    { body: 1 },
    { body: 'a\0' },
    { body: 'x', mentions: [] },
  ])('400: %j', async (body) => {
    const session = await createSession();
    expect((await call('POST', messagesOf(session), { key: org.member.key, body })).status).toBe(
      400,
    );
    expect((await list(session)).total).toBe(0);
  });

  it('201: 20,000 letters after an @, and thousands of mentions; 400: 60,000 letters', async () => {
    const session = await createSession();
    await post(session, `@${'a'.repeat(19_999)}`);
    await post(session, '@a1 '.repeat(5000));
    const refused = await call('POST', messagesOf(session), {
      key: org.member.key,
      body: { body: `@${'a'.repeat(60_000)}` },
    });
    expect(refused.status).toBe(400);
  });

  it("403 and 404: not in the Project, another slug, another org's", async () => {
    const secret = await createSession('secret');
    const path = `/api/spaces/secret/sessions/${secret}/messages`;
    const refused = await call('POST', path, { key: outsider.key, body: { body: 'x' } });
    expect([refused.status, refused.json.error.details.reason]).toEqual([
      403,
      'not_project_member',
    ]);
    expect(
      (await call('POST', messagesOf(secret), { key: org.owner.key, body: { body: 'x' } })).status,
    ).toBe(404);
    expect(
      (await call('POST', path, { key: otherOrg.owner.key, body: { body: 'x' } })).status,
    ).toBe(404);
  });
});

describe('GET …/messages', () => {
  it('200: newest first, page by page, with the total', async () => {
    const session = await createSession();
    for (let at = 0; at < 7; at++) await post(session, `m${at}`);
    const first = await list(session, '?limit=3');
    expect(first).toMatchObject({ total: 7, hasMore: true, nextBefore: first.items[2].id });
    expect(bodies(first)).toEqual(['m6', 'm5', 'm4']);
    const second = await list(session, `?limit=3&before=${first.nextBefore}`);
    expect(bodies(second)).toEqual(['m3', 'm2', 'm1']);
    const third = await list(session, `?limit=3&before=${second.nextBefore}`);
    expect(third).toMatchObject({ items: [{ body: 'm0' }], hasMore: false, nextBefore: null });
  });

  it('200: around a message', async () => {
    const session = await createSession();
    const made = [];
    for (let at = 0; at < 9; at++) made.push(await post(session, `m${at}`));
    expect(bodies(await list(session, `?limit=5&around=${made[4].id}`))).toEqual([
      'm6',
      'm5',
      'm4',
      'm3',
      'm2',
    ]);
    expect(bodies(await list(session, `?limit=5&around=${made[8].id}`))).toEqual([
      'm8',
      'm7',
      'm6',
      'm5',
      'm4',
    ]);
    expect(bodies(await list(session, `?limit=5&around=${made[0].id}`))).toEqual([
      'm2',
      'm1',
      'm0',
    ]);
  });

  it('200: from around a message, pages go both ways, without gaps', async () => {
    const session = await createSession();
    const made = [];
    for (let at = 0; at < 12; at++) made.push(await post(session, `m${at}`));
    const expected = made.map(({ body }) => body).toReversed();
    for (const middle of [0, 5, 11]) {
      const page = await list(session, `?limit=5&around=${made[middle].id}`);
      const listed = [...page.items];
      for (let first; first !== listed[0].id;) {
        first = listed[0].id;
        const newer = (await list(session, `?limit=5&around=${first}`)).items;
        const at = newer.findIndex(({ id }: { id: string }) => id === first);
        listed.unshift(...newer.slice(0, at));
      }
      for (let { nextBefore } = page; nextBefore !== null;) {
        const older = await list(session, `?limit=5&before=${nextBefore}`);
        listed.push(...older.items);
        ({ nextBefore } = older);
      }
      expect(listed.map(({ body }: { body: string }) => body)).toEqual(expected);
    }
  });

  it('400: a cursor that is not in this list', async () => {
    const [session, other] = [await createSession(), await createSession()];
    const parent = await post(session, 'here');
    const reply = await post(session, { body: 'reply', parentMessageId: parent.id });
    const foreign = await post(other, 'there');
    for (const query of [
      `before=${foreign.id}`,
      'before=x',
      'before=',
      `around=${foreign.id}`,
      `around=${parent.id}&before=${parent.id}`,
      `parentMessageId=${parent.id}&before=${parent.id}`,
      `parentMessageId=${foreign.id}`,
      `parentMessageId=${reply.id}`,
      'limit=0',
      'limit=101',
      'after=x',
    ]) {
      const refused = await call('GET', `${messagesOf(session)}?${query}`, { key: org.member.key });
      expect([query, refused.status]).toEqual([query, 400]);
    }
  });
});

describe('reactions', () => {
  it('201: the same reaction twice is one; ❤ and ❤️ are the same', async () => {
    const session = await createSession();
    const message = await post(session, 'nice');
    const react = (emoji: string, key = org.member.key) =>
      call('POST', `${PREFIX}/messages/${message.id}/reactions`, { key, body: { emoji } });
    const first = await react('❤');
    expect(first.status).toBe(201);
    expect(first.json.data).toEqual({
      messageId: message.id,
      emoji: '❤️',
      userId: org.member.userId,
      createdAt: expect.any(String),
    });
    expect((await react('❤️')).json.data).toEqual(first.json.data);
    await react('❤️', org.owner.key);
    await react('🚀', org.owner.key);
    expect((await list(session)).items[0].reactions).toEqual([
      { emoji: '❤️', count: 2, userIds: [org.member.userId, org.owner.userId] },
      { emoji: '🚀', count: 1, userIds: [org.owner.userId] },
    ]);
    const path = `${PREFIX}/messages/${message.id}/reactions/${encodeURIComponent('❤')}`;
    expect((await call('DELETE', path, { key: org.member.key })).status).toBe(204);
    expect((await call('DELETE', path, { key: org.member.key })).status).toBe(204);
    expect((await list(session)).items[0].reactions[0]).toMatchObject({ emoji: '❤️', count: 1 });
  });

  it.each(['👍🏽', '🙂', 'x', '', '👍👍', '❤︎'])('400: %s', async (emoji) => {
    const message = await post(await createSession(), 'm');
    const path = `${PREFIX}/messages/${message.id}/reactions`;
    expect((await call('POST', path, { key: org.member.key, body: { emoji } })).status).toBe(400);
  });

  it('404: a message of another Project', async () => {
    const message = await post(await createSession(), 'm');
    const path = `/api/spaces/secret/messages/${message.id}/reactions`;
    expect((await call('POST', path, { key: org.owner.key, body: { emoji: '👍' } })).status).toBe(
      404,
    );
  });
});

describe('editing and deleting', () => {
  it('200: the author edits; mentions are updated', async () => {
    const message = await post(await createSession(), 'first');
    const path = `${PREFIX}/messages/${message.id}`;
    const edited = (
      await call('PATCH', path, { key: org.member.key, body: { body: 'second @alice' } })
    ).json.data;
    expect(edited).toEqual({
      ...message,
      body: 'second @alice',
      mentions: ['alice'],
      editedAt: expect.any(String),
    });
    expect((await call('PATCH', path, { key: org.member.key, body: {} })).json.data).toEqual(
      edited,
    );
    const refused = await call('PATCH', path, { key: org.owner.key, body: { body: 'mine' } });
    expect(refused.status).toBe(403);
  });

  it('204: leaves a tombstone; allowed for the author, an OWNER or an ADMIN', async () => {
    const session = await createSession();
    const message = await post(session, 'regret');
    const path = `${PREFIX}/messages/${message.id}`;
    await call('POST', `${path}/reactions`, { key: org.owner.key, body: { emoji: '🚀' } });
    expect((await call('DELETE', path, { key: outsider.key })).status).toBe(403);
    expect((await call('DELETE', path, { key: org.admin.key })).status).toBe(204);
    expect((await call('DELETE', path, { key: org.member.key })).status).toBe(204);
    const page = await list(session);
    expect(page).toMatchObject({
      total: 1,
      items: [{ id: message.id, body: '', reactions: [], deletedAt: expect.any(String) }],
    });
    for (const [method, target, body] of [
      ['PATCH', path, { body: 'back' }],
      ['POST', `${path}/reactions`, { emoji: '👍' }],
    ] as const) {
      const refused = await call(method, target, { key: org.member.key, body });
      expect([refused.status, refused.json.error.details.reason]).toEqual([409, 'message_deleted']);
    }
    const [stored] = await server.db.query<{ body: string }>(
      'SELECT body FROM messages WHERE id = $1',
      [message.id],
    );
    expect(stored?.body).toBe('');
  });
});
