import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthority } from '../../../../test/harness/outside/certificates.ts';
import {
  startMattermost,
  type MattermostServer,
} from '../../../../test/harness/outside/chat/mattermost-server.ts';
import { createChatGuard } from '../create-chat-guard.ts';
import type { ChatGuard } from '../guard.ts';
import { openChat } from '../open-chat.ts';
import { fillText, type ChatEvent, type ChatProvider, type KnownMessage } from '../provider.ts';
import { toMattermost, withAuthor } from './mattermost-text.ts';

const authority = createAuthority();
let mattermost: MattermostServer;
let guard: ChatGuard;
let chat: ChatProvider;
let maria: string;
let channelId: string;
let leave: AbortController;

beforeAll(async () => {
  mattermost = await startMattermost(authority);
  guard = createChatGuard(
    { chatAllowHosts: [mattermost.host], slackOrigin: undefined },
    { dnsServers: [], ownOrigin: 'https://atrium.example.com', ca: authority.certificate },
  );
  maria = mattermost.addUser({ username: 'maria' }).id;
});
beforeEach(() => {
  leave = new AbortController();
  chat = openChat(
    'MATTERMOST',
    { botToken: mattermost.botToken, serverUrl: mattermost.url },
    guard,
  );
  const members = [mattermost.bot, { ...mattermost.bot, id: maria }];
  channelId = mattermost.addChannel(`channel ${Math.random()}`, members).id;
});
afterEach(() => leave.abort());
afterAll(async () => {
  await guard.safeFetch.close();
  await mattermost.close();
});

async function fetched(since: Date, known: KnownMessage[] = []): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  const options = { signal: leave.signal, known: async () => known, missing: new Map() };
  for await (const page of chat.fetchSince(channelId, since, options)) events.push(...page.events);
  return events;
}

describe('the stream', () => {
  it('ends when an event is missing', async () => {
    const stream = await chat.listen(leave.signal);
    mattermost.loseEvents(1);
    mattermost.write(channelId, maria, 'lost');
    mattermost.write(channelId, maria, 'after it');
    const reading = (async () => {
      for await (const { events } of stream) expect(events).toEqual([]);
    })();
    await expect(reading).rejects.toMatchObject({ message: 'Mattermost left out events' });
  });

  it('tells of new names, and of channels that the bot was removed from', async () => {
    const stream = await chat.listen(leave.signal);
    mattermost.rename(channelId, 'New name');
    mattermost.removeMember(channelId, maria);
    mattermost.removeMember(channelId, mattermost.bot.id);
    const seen: ChatEvent[] = [];
    for await (const { events } of stream) if (seen.push(...events) >= 2) break;
    expect(seen).toMatchObject([
      { kind: 'channel_renamed', name: 'New name', channelId },
      { kind: 'channel_left', channelId },
    ]);
  });

  it('leaves out what Mattermost itself writes', async () => {
    const stream = await chat.listen(leave.signal);
    mattermost.write(channelId, maria, 'maria joined', { type: 'system_join_channel' });
    mattermost.write(channelId, maria, 'hello @atrium.');
    for await (const { events } of stream) {
      expect(events).toHaveLength(1);
      const [event] = events;
      const text = event?.kind === 'message' ? event.message.text : '';
      const filled = fillText(text, (id) => ({
        mention: id === mattermost.bot.id ? '@model' : '?',
      }));
      expect(filled).toEqual({ text: 'hello @model.', written: 'hello @model.' });
      break;
    }
  });

  it('is refused like any call', async () => {
    mattermost.faults.next(/websocket/, { status: 500 });
    await expect(chat.listen(leave.signal)).rejects.toMatchObject({ code: 'temporary' });
  });
});

describe('what was missed', () => {
  it('is complete after more than 1,000 changes', async () => {
    const since = new Date();
    const posts = Array.from({ length: 1300 }, (_each, index) =>
      mattermost.write(channelId, maria, `message ${index}`),
    );
    const gone = posts.slice(0, 20);
    for (const { id } of gone) mattermost.remove(id);
    const events = await fetched(since, posts.slice(0, 40));
    const there = events.flatMap((event) => (event.kind === 'message' ? event.message.id : []));
    expect(there).toEqual(posts.slice(20).map(({ id }) => id));
    const deleted = events.flatMap((event) =>
      event.kind === 'message_deleted' ? event.messageId : [],
    );
    expect(new Set(deleted)).toEqual(new Set(gone.map(({ id }) => id)));
  });

  it('does not take an earlier version for a deleted message', async () => {
    const since = new Date();
    const post = mattermost.write(channelId, maria, 'first');
    mattermost.rewrite(post.id, 'second');
    expect(await fetched(since)).toMatchObject([
      { kind: 'message', message: { id: post.id, text: 'second' } },
    ]);
  });

  it('includes the replies of a message that was deleted', async () => {
    const since = new Date();
    const root = mattermost.write(channelId, maria, 'root');
    const reply = mattermost.write(channelId, maria, 'reply', { rootId: root.id });
    mattermost.remove(root.id);
    const kinds = (await fetched(since)).map((event) => 'messageId' in event && event.messageId);
    expect(kinds).toEqual([root.id, reply.id]);
  });
});

describe('people and servers', () => {
  it('trusts addresses only if the server makes people confirm them', async () => {
    const stranger = mattermost.addUser({ username: 'remote', remote_id: 'other-server' });
    for (const isEmailVerified of [false, true, false]) {
      mattermost.config['RequireEmailVerification'] = String(isEmailVerified);
      expect(await chat.getUser(maria)).toMatchObject({ isEmailVerified, isFromElsewhere: false });
    }
    expect(await chat.getUser(stranger.id)).toMatchObject({ isFromElsewhere: true });
    mattermost.faults.next(/config\/client/, { status: 500 });
    const doubtful = { isEmailVerified: false, isInDoubt: true };
    expect(await chat.getUser(maria)).toMatchObject(doubtful);
  });

  it('a conversation between people is not a channel', async () => {
    for (const type of ['D', 'G'] as const) {
      const { id } = mattermost.addChannel('two people', [mattermost.bot], type);
      await expect(chat.getChannel(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('wants a bot’s token', async () => {
    mattermost.bot.is_bot = false;
    await expect(chat.check()).rejects.toMatchObject({ code: 'unauthorized' });
    mattermost.bot.is_bot = true;
  });

  it.each([
    ['a page', { status: 200 }],
    ['a missing page', { status: 404 }],
  ])('knows a server that is not Mattermost by %s', async (_name, fault) => {
    mattermost.faults.next(/users\/me/, fault);
    await expect(chat.check()).rejects.toMatchObject({ code: 'wrong_server' });
  });

  it.each([
    ['https://localhost:1', 'refused'],
    ['https://10.0.0.7', 'refused'],
    ['http://chat.example.com', 'refused'],
    ['not an address', 'refused'],
  ])('refuses %s', async (serverUrl, code) => {
    const there = openChat('MATTERMOST', { botToken: 'secret-token', serverUrl }, guard);
    const failure = await there.check().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(String(failure)).not.toContain('secret-token');
    await expect(there.listen(leave.signal)).rejects.toMatchObject({ code });
  });

  it('posts once within Mattermost’s own memory, even if it is sent twice', async () => {
    const message = { channelId, text: 'once', authorName: 'Ada', ownId: 'twice' };
    expect(await chat.post(message)).toBe(await chat.post(message));
    expect(mattermost.shown(channelId)).toHaveLength(1);
  });
});

describe('texts', () => {
  const usernames = new Map([['ada', 'ada.lovelace']]);

  it.each([
    ['@ada and @Ada: hi', '@ada.lovelace and @ada.lovelace: hi'],
    ['`@channel` and a@example.com', '`@channel` and a@example.com'],
    ['@channel @all @here.', '@\u200Bchannel @\u200Ball @\u200Bhere.'],
    ['```\n@all\n```\n@all', '```\n@all\n```\n@\u200Ball'],
  ])('%j is %j', (text, there) => {
    expect(toMattermost(text, usernames)).toBe(there);
  });

  it('an author’s name notifies nobody and formats nothing', () => {
    expect(withAuthor('*@channel*\n', 'hi')).toBe('**channel via Atrium**\nhi');
  });
});
