import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../test/harness/stages/agent-stage.ts';
import {
  chatOnMattermost,
  chatOnSlack,
  type Chat,
} from '../../../test/harness/stages/channel-chats.ts';
import { CONNECTIONS } from '../../../test/harness/stages/channel-stage.ts';
import { hashLink } from '../messages/previews/links.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';

const { stage, ada } = useChannelStage(undefined, { env: { LINK_PREVIEWS: 'on' } });

const connectionOf = async (id: string) => {
  const { items } = (await stage.send('GET', CONNECTIONS)).json.data;
  return items.find((each: { id: string }) => each.id === id);
};

const onMattermost = (fields?: object) => chatOnMattermost(stage, fields);
const onSlack = (fields?: object) => chatOnSlack(stage, fields);
const texts = (chat: Chat) => chat.shown().map(({ text }) => text);

describe.each([
  ['Mattermost', onMattermost],
  ['Slack', onSlack],
])('%s', (_name, open) => {
  let chat: Chat;
  beforeAll(async () => void (chat = await open()));

  const find = async (id: string) => (await chat.channel.list()).find((each) => each.id === id);

  it('what is written there arrives once, with its author, thread, edits, reactions and deletion', async () => {
    const { channel } = chat;
    const first = chat.write('Hello from **outside**, @recall');
    const reply = chat.write('In a thread', { thread: first });
    const arrived = await channel.arrived('Hello from **outside**, @recall');
    expect(arrived).toMatchObject({
      authorKind: 'USER',
      authorUserId: null,
      externalAuthor: { name: 'Eve' },
      pendingReplies: [],
      mentions: ['recall'],
    });
    expect(await channel.arrived('In a thread')).toMatchObject({ parentMessageId: arrived.id });
    chat.edit(first, 'Hello again');
    await expect.poll(async () => (await find(arrived.id))?.body).toBe('Hello again');
    chat.react(first, true);
    const party = { emoji: '🎉', count: 1, userIds: [] };
    await expect.poll(async () => (await find(arrived.id))?.reactions).toEqual([party]);
    chat.react(first, false);
    await expect.poll(async () => (await find(arrived.id))?.reactions).toEqual([]);
    chat.remove(reply);
    await expect
      .poll(async () => (await channel.list()).at(1)?.deletedAt)
      .toEqual(expect.any(String));
    chat.write('Robots talk, @recall', { as: 'bot' });
    expect(await channel.arrived('Robots talk, @recall')).toMatchObject({ pendingReplies: [] });
    expect(await channel.list()).toHaveLength(3);
    expect(texts(chat)).toHaveLength(2);
  });

  it('what is written here appears there once, in order, with edits, reactions and deletion', async () => {
    const { channel } = chat;
    const before = texts(chat).length;
    const first = await channel.post('One from *here*');
    const inThread = await channel.post('Two', { parentMessageId: first.id });
    await channel.post('Three');
    await expect.poll(() => texts(chat).length).toBe(before + 3);
    const [one, two, three] = chat.shown().slice(before);
    expect([one?.text, two?.text, three?.text]).toEqual([
      expect.stringContaining('One from'),
      'Two',
      'Three',
    ]);
    expect(two?.thread).toBe(one?.id);
    expect(one?.name).toMatch(/^person/);
    const path = `${channel.space}/messages`;
    const { key } = stage.org.member;
    await stage.send('PATCH', `${path}/${first.id}`, { body: 'One, edited' }, key);
    await stage.send('POST', `${path}/${first.id}/reactions`, { emoji: '🚀' }, key);
    await expect.poll(() => texts(chat)[before]).toBe('One, edited');
    await expect.poll(() => chat.emojis(one?.id ?? '')).toEqual(['rocket']);
    await stage.send(
      'DELETE',
      `${path}/${first.id}/reactions/${encodeURIComponent('🚀')}`,
      undefined,
      key,
    );
    await expect.poll(() => chat.emojis(one?.id ?? '')).toEqual([]);
    await stage.send('DELETE', `${path}/${inThread.id}`, undefined, key);
    await expect.poll(() => texts(chat)).not.toContain('Two');
    expect(
      (await channel.list()).map(({ body }) => body).filter((body) => body === 'Three'),
    ).toHaveLength(1);
  });

  it('waits when it is told to, and looks before it sends again', async () => {
    const { channel } = chat;
    const before = texts(chat).length;
    chat.break429();
    chat.break500();
    chat.breakLate();
    await channel.post('Nobody knows');
    await channel.post('The last');
    await expect.poll(() => texts(chat).at(-1)).toBe('The last');
    expect(texts(chat).slice(before)).toEqual(['Nobody knows', 'The last']);
  });

  it('fetches what happened while the connection was gone', async () => {
    const { channel } = chat;
    const gone = chat.write('Will be gone');
    const kept = chat.write('Will change');
    const { id } = await channel.arrived('Will change');
    const { id: goneId } = await channel.arrived('Will be gone');
    const { id: oursId } = await channel.post('Of ours');
    await expect.poll(() => texts(chat).at(-1)).toBe('Of ours');
    chat.drop();
    chat.react(chat.shown().at(-1)?.id ?? '', true);
    chat.edit(kept, 'Has changed');
    chat.write('Written meanwhile');
    chat.remove(gone);
    chat.forget();
    await channel.arrived('Written meanwhile');
    expect((await find(id))?.body).toBe('Has changed');
    await expect.poll(async () => (await find(oursId))?.reactions).toMatchObject([{ count: 1 }]);
    await until(async () => (await find(goneId))?.deletedAt !== null);
    const bodies = (await channel.list()).map(({ body }) => body);
    expect(bodies.filter((body) => body === 'Written meanwhile')).toHaveLength(1);
  });

  it('links that are written there are looked at, like any', async () => {
    const url = `https://10.0.0.1/${chat.channel.id}`;
    chat.write(url);
    await chat.channel.arrived(url);
    const looked = () =>
      stage.server.db.query('SELECT token FROM link_pages WHERE url_hash = $1', [hashLink(url)]);
    await expect.poll(looked).toEqual([{ token: null }]);
  });
});

describe('people and agents', () => {
  it('a member is known by a verified address, and is answered; the reply appears there as one post', async () => {
    ada.answerWith(['Forty-two.']);
    const chat = await onSlack();
    const { channel } = chat;
    const { slack, org } = stage;
    const member = slack.addUser('Mia', { email: org.member.email.toUpperCase() });
    const faker = slack.addUser('Mallory', { email: org.owner.email, is_email_confirmed: false });
    slack.write(channel.channelId, member.id, '@ada what is it?');
    slack.write(channel.channelId, faker.id, '@ada and for me?');
    const asked = await channel.arrived('@ada what is it?');
    expect(asked.authorUserId).toBe(org.member.userId);
    const other = await channel.arrived('@ada and for me?');
    expect(other).toMatchObject({ authorUserId: null, pendingReplies: [] });
    await channel.arrived('Forty-two.');
    await expect
      .poll(() => texts(chat).filter((text) => text.startsWith('Forty')))
      .toEqual(['Forty-two.']);
  });

  it('a member of Mattermost is one here if addresses are trusted, and from then on', async () => {
    const { channel } = await onMattermost();
    const { mattermost, org } = stage;
    const mia = mattermost.addUser({ username: 'mia', email: org.admin.email });
    mattermost.write(channel.channelId, mia.id, 'Who am I?');
    expect((await channel.arrived('Who am I?')).authorUserId).toBeNull();
    const path = `${CONNECTIONS}/${channel.connectionId}`;
    await stage.send('PATCH', path, { trustsEmails: true });
    await until(async () => {
      mattermost.write(channel.channelId, mia.id, 'And now?');
      return (await channel.list()).some(({ authorUserId }) => authorUserId === org.admin.userId);
    });
  });

  it('what is older than its mapping stays away, whatever becomes of it', async () => {
    const { channel } = await onSlack();
    const { key } = stage.org.member;
    const { slack, send } = stage;
    const old = await channel.post('Unmapped');
    await expect.poll(() => slack.shown(channel.channelId)).toHaveLength(1);
    await send('DELETE', channel.path);
    const path = `${channel.space}/messages/${old.id}`;
    const { connectionId, sessionId, projectId } = channel;
    const { id: channelId } = slack.addChannel('again', [slack.botUserId]);
    const mapping = { connectionId, sessionId, channelId };
    await send('POST', `/api/projects/${projectId}/channels`, mapping);
    await send('PATCH', path, { body: 'Edited' }, key);
    await send('POST', `${path}/reactions`, { emoji: '🚀' }, key);
    await channel.post('Mapped');
    const there = () => slack.shown(channelId).map(({ text }) => text);
    await expect.poll(there).toContain('Mapped');
    expect(there()).toEqual(['Mapped']);
  });

  it('PAUSED lets nothing through, now or later; IN and OUT let it through one way', async () => {
    const chat = await onMattermost();
    const { channel } = chat;
    await stage.send('PATCH', channel.path, { status: 'PAUSED' });
    chat.write('While paused');
    await channel.post('Paused here');
    await stage.send('PATCH', channel.path, { status: 'ACTIVE' });
    chat.write('Back there');
    await channel.post('Back here');
    await channel.arrived('Back there');
    await expect.poll(() => texts(chat)).toContain('Back here');
    expect(texts(chat)).not.toContain('Paused here');
    expect((await channel.list()).map(({ body }) => body)).not.toContain('While paused');
    await stage.send('PATCH', channel.path, { direction: 'IN' });
    await channel.post('Stays here');
    chat.write('Comes in');
    await channel.arrived('Comes in');
    await stage.send('PATCH', channel.path, { direction: 'OUT' });
    chat.write('Stays there');
    await channel.post('Goes out');
    await expect.poll(() => texts(chat)).toContain('Goes out');
    expect(texts(chat)).not.toContain('Stays here');
    expect((await channel.list()).map(({ body }) => body)).not.toContain('Stays there');
  });

  it('PAUSED also counts for what was asked for before, and arrives after it', async () => {
    const chat = await onMattermost();
    const { channel } = chat;
    chat.write('Before');
    await channel.arrived('Before');
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    stage.mattermost.faults.script((request) => {
      if (!request.includes(`/channels/${channel.channelId}/posts`)) return undefined;
      asked.resolve();
      return { heldUntil: answered.promise };
    });
    chat.drop();
    await asked.promise;
    await stage.send('PATCH', channel.path, { status: 'PAUSED' });
    chat.write('While paused');
    await stage.send('PATCH', channel.path, { status: 'ACTIVE' });
    answered.resolve();
    chat.write('Back there');
    await channel.arrived('Back there');
    stage.mattermost.faults.script(() => undefined);
    const bodies = (await channel.list()).map(({ body }) => body);
    expect(bodies).toEqual(['Before', 'Back there']);
  });

  it('odd messages become sensible ones', async () => {
    const chat = await onSlack();
    const { channel } = chat;
    const { slack } = stage;
    chat.write('x'.repeat(40_000));
    chat.write(`<!channel> <@${slack.botUserId}> <@U9999> hi`);
    slack.write(channel.channelId, [...slack.users.values()][0]?.id, '', {
      files: [{ id: 'F1', name: 'plan.pdf', permalink: 'https://files.example.com/plan.pdf' }],
    });
    await until(async () => (await channel.list()).length === 3);
    const [long, odd, file] = await channel.list();
    expect(Array.from(long?.body ?? '')).toHaveLength(20_000);
    expect(odd?.body).toContain('@model');
    expect(odd?.body).not.toMatch(/[<>]/);
    expect(file?.body).toContain('plan.pdf');
  });
});

describe('a revoked token', () => {
  it('breaks connection and mappings, tells OWNER and ADMIN, and a new one heals them', async () => {
    const chat = await onMattermost();
    const { channel } = chat;
    const { mattermost, org, send } = stage;
    mattermost.revokeToken();
    await channel.post('Not lost');
    const connection = () => connectionOf(channel.connectionId);
    await expect.poll(async () => (await connection()).status).toBe('BROKEN');
    expect((await connection()).lastError).toEqual(expect.stringMatching(/\.$/));
    for (const { key } of [org.owner, org.admin]) {
      const { items } = (await send('GET', '/api/notifications', undefined, key)).json.data;
      expect(items).toContainEqual(expect.objectContaining({ kind: 'CHANNEL_BROKEN' }));
    }
    const own = await send('GET', '/api/notifications', undefined, org.member.key);
    expect(JSON.stringify(own.json.data.items)).not.toContain('CHANNEL_BROKEN');
    chat.write('Written meanwhile');
    const botToken = mattermost.issueToken();
    const healed = await send('PATCH', `${CONNECTIONS}/${channel.connectionId}`, { botToken });
    expect(healed.status, healed.text).toBe(200);
    await channel.arrived('Written meanwhile');
    await expect.poll(() => texts(chat)).toEqual(['Written meanwhile', 'Not lost']);
    expect((await send('GET', channel.path.replace(/\/[^/]+$/, ''))).json.data.items).toMatchObject(
      [{ status: 'ACTIVE', lastError: null }],
    );
  });
});
