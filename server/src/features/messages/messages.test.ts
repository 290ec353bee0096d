import { beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import { dataOf, expectInvalid, reasonOf } from '../../../test/harness/clients/envelope.ts';

const { server, call, send, org } = useServerWithOrg();
const otherOrg = useTestOrg(() => server.db);
let outsider: Person;

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  await call('POST', '/api/projects', org.owner, { name: 'Talk' });
  await call('POST', '/api/projects', org.owner, { name: 'Secret', access: 'MEMBERS' });
});

const PREFIX = '/api/spaces/talk';

async function createSession(space = 'talk'): Promise<string> {
  return (await send('POST', `/api/spaces/${space}/sessions`, org.owner, { name: 's' })).id;
}

const messagesOf = (sessionId: string) => `${PREFIX}/sessions/${sessionId}/messages`;

async function post(sessionId: string, text: object | string) {
  const body = typeof text === 'string' ? { body: text } : text;
  return dataOf(await call('POST', messagesOf(sessionId), org.member, body), 201);
}

async function list(sessionId: string, query = '') {
  return dataOf(await call('GET', messagesOf(sessionId) + query, org.member), 200);
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
      broadcast: null,
      previews: [],
      attachments: [],
      tasks: [],
      reactions: [],
      replyCount: 0,
      branches: [],
      pinnedAt: null,
      pinnedById: null,
      usage: null,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      editedAt: null,
      deletedAt: null,
    });
    expect((await list(session)).items).toEqual([message]);
    expect((await call('GET', `${PREFIX}/messages/${message.id}`, org.owner)).json.data).toEqual(
      message,
    );
  });

  it('201: once for one Idempotency-Key', async () => {
    const session = await createSession();
    const headers = { 'idempotency-key': 'message-once' };
    const sendOnce = () =>
      call('POST', messagesOf(session), { ...org.member, headers }, { body: 'once' });
    const [first, second] = await Promise.all([sendOnce(), sendOnce()]);
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
      const refused = await call('POST', messagesOf(session), org.member, {
        body: 'x',
        parentMessageId,
      });
      expect(expectInvalid(refused)[0]?.location).toBe('body.parentMessageId');
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
    expect((await call('POST', messagesOf(session), org.member, body)).status).toBe(400);
    expect((await list(session)).total).toBe(0);
  });

  it('201: 20,000 letters after an @, and thousands of mentions; 400: 60,000 letters', async () => {
    const session = await createSession();
    await post(session, `@${'a'.repeat(19_999)}`);
    await post(session, '@a1 '.repeat(5000));
    const refused = await call('POST', messagesOf(session), org.member, {
      body: `@${'a'.repeat(60_000)}`,
    });
    expect(refused.status).toBe(400);
  });

  it("403 and 404: not in the Project, another slug, another org's", async () => {
    const secret = await createSession('secret');
    const path = `/api/spaces/secret/sessions/${secret}/messages`;
    expect(reasonOf(await call('POST', path, outsider, { body: 'x' }))).toEqual([
      403,
      'not_project_member',
    ]);
    expect((await call('POST', messagesOf(secret), org.owner, { body: 'x' })).status).toBe(404);
    expect((await call('POST', path, otherOrg.owner, { body: 'x' })).status).toBe(404);
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
      const refused = await call('GET', `${messagesOf(session)}?${query}`, org.member);
      expect([query, refused.status]).toEqual([query, 400]);
    }
  });
});

describe('reactions', () => {
  it('201: the same reaction twice is one; ❤ and ❤️ are the same', async () => {
    const session = await createSession();
    const message = await post(session, 'nice');
    const react = (emoji: string, by = org.member) =>
      call('POST', `${PREFIX}/messages/${message.id}/reactions`, by, { emoji });
    const first = await react('❤');
    expect(dataOf(first, 201)).toEqual({
      messageId: message.id,
      emoji: '❤️',
      userId: org.member.userId,
      createdAt: expect.any(String),
    });
    expect((await react('❤️')).json.data).toEqual(first.json.data);
    await react('❤️', org.owner);
    await react('🚀', org.owner);
    expect((await list(session)).items[0].reactions).toEqual([
      { emoji: '❤️', count: 2, userIds: [org.member.userId, org.owner.userId] },
      { emoji: '🚀', count: 1, userIds: [org.owner.userId] },
    ]);
    const path = `${PREFIX}/messages/${message.id}/reactions/${encodeURIComponent('❤')}`;
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    expect((await list(session)).items[0].reactions[0]).toMatchObject({ emoji: '❤️', count: 1 });
  });

  it('201: any emoji, in the form that Unicode writes', async () => {
    const message = await post(await createSession(), 'm');
    const path = `${PREFIX}/messages/${message.id}/reactions`;
    const sent = ['👍🏽', '🫱🏻‍🫲🏿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🇩🇪', '#\u20E3', '🕵🏽‍♀', '👨‍👩‍👧‍👦'];
    const stored = ['👍🏽', '🫱🏻‍🫲🏿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🇩🇪', '#\uFE0F\u20E3', '🕵🏽‍♀️', '👨‍👩‍👧‍👦'];
    for (const [at, emoji] of sent.entries()) {
      const { json } = await call('POST', path, org.member, { emoji });
      expect(json.data.emoji).toBe(stored[at]);
    }
    for (const emoji of sent) {
      const removed = await call('DELETE', `${path}/${encodeURIComponent(emoji)}`, org.member);
      expect(removed.status).toBe(204);
    }
    const { json } = await call('GET', `${PREFIX}/messages/${message.id}`, org.member);
    expect(json.data.reactions).toEqual([]);
  });

  it.each(['x', '', '👍👍', '❤︎', '🇦🇦', '🚀🏽', ':tada:'])('400: %s', async (emoji) => {
    const message = await post(await createSession(), 'm');
    const path = `${PREFIX}/messages/${message.id}/reactions`;
    const refused = await call('POST', path, org.member, { emoji });
    expect(refused.status).toBe(400);
    if (emoji !== '') expect(refused.text).toContain('Unicode 16.0');
  });

  it('400: the 21st different one, also if 30 arrive at once; more of the others are fine', async () => {
    const session = await createSession();
    const message = await post(session, 'm');
    const path = `${PREFIX}/messages/${message.id}/reactions`;
    const emojis = Array.from('😀😃😄😁😆😅🤣😂🙂🙃🫠😉😊😇🥰😍🤩😘😗😚😙🥲😋😛😜🤪😝🤑🤗🤭');
    const replies = await Promise.all(
      emojis.map((emoji, at) => call('POST', path, at % 2 ? org.member : org.owner, { emoji })),
    );
    const refused = replies.filter(({ status }) => status === 400);
    expect([emojis.length, refused.length]).toEqual([30, 10]);
    expect(refused[0]?.json.error.details.errors).toMatchObject([
      { location: 'body.emoji', message: expect.stringContaining('20 different reactions') },
    ]);
    const [{ reactions }] = (await list(session)).items;
    expect(reactions).toHaveLength(20);
    const [{ emoji }] = reactions;
    for (const by of [org.member, org.owner, org.admin]) {
      expect((await call('POST', path, by, { emoji })).status).toBe(201);
    }
    const [stored] = await server.db.query<{ count: number }>(
      'SELECT count(DISTINCT emoji)::int AS count FROM reactions WHERE message_id = $1',
      [message.id],
    );
    expect(stored?.count).toBe(20);
  });

  it('404: a message of another Project', async () => {
    const message = await post(await createSession(), 'm');
    const path = `/api/spaces/secret/messages/${message.id}/reactions`;
    expect((await call('POST', path, org.owner, { emoji: '👍' })).status).toBe(404);
  });
});

describe('editing and deleting', () => {
  it('200: the author edits; mentions are updated', async () => {
    const message = await post(await createSession(), 'first');
    const path = `${PREFIX}/messages/${message.id}`;
    const edited = (await call('PATCH', path, org.member, { body: 'second @alice' })).json.data;
    expect(edited).toEqual({
      ...message,
      body: 'second @alice',
      mentions: ['alice'],
      editedAt: expect.any(String),
    });
    expect((await call('PATCH', path, org.member, {})).json.data).toEqual(edited);
    expect((await call('PATCH', path, org.owner, { body: 'mine' })).status).toBe(403);
  });

  it('204: leaves a tombstone; allowed for the author, an OWNER or an ADMIN', async () => {
    const session = await createSession();
    const message = await post(session, 'regret');
    const path = `${PREFIX}/messages/${message.id}`;
    await call('POST', `${path}/reactions`, org.owner, { emoji: '🚀' });
    expect((await call('DELETE', path, outsider)).status).toBe(403);
    expect((await call('DELETE', path, org.admin)).status).toBe(204);
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    const page = await list(session);
    expect(page).toMatchObject({
      total: 1,
      items: [{ id: message.id, body: '', reactions: [], deletedAt: expect.any(String) }],
    });
    for (const [method, target, body] of [
      ['PATCH', path, { body: 'back' }],
      ['POST', `${path}/reactions`, { emoji: '👍' }],
    ] as const) {
      const refused = await call(method, target, org.member, body);
      expect(reasonOf(refused)).toEqual([409, 'message_deleted']);
    }
    const [stored] = await server.db.query<{ body: string }>(
      'SELECT body FROM messages WHERE id = $1',
      [message.id],
    );
    expect(stored?.body).toBe('');
  });
});
