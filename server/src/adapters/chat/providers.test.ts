import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthority } from '../../../test/harness/outside/certificates.ts';
import { startChatSide, type ChatSide } from '../../../test/harness/outside/chat/chat-side.ts';
import { createChatGuard } from './create-chat-guard.ts';
import type { ChatGuard } from './guard.ts';
import { openChat } from './open-chat.ts';
import type {
  ChatEvent,
  ChatProvider,
  ChatStream,
  KnownMessage,
  OutgoingMessage,
} from './provider.ts';

const authority = createAuthority();

describe.each(['SLACK', 'MATTERMOST'] as const)('%s', (name) => {
  let side: ChatSide;
  let guard: ChatGuard;
  let chat: ChatProvider;
  let leave: AbortController;

  beforeAll(async () => {
    side = await startChatSide(name, authority);
    const { CHAT_ALLOW_HOSTS: host, SLACK_API_BASE: slackOrigin } = side.env;
    guard = createChatGuard(
      { chatAllowHosts: host === undefined ? [] : [host], slackOrigin },
      { dnsServers: [], ownOrigin: 'https://atrium.example.com', ca: authority.certificate },
    );
    chat = openChat(name, side.settings, guard);
    leave = new AbortController();
  });
  afterEach(() => {
    vi.useRealTimers();
    leave.abort();
    leave = new AbortController();
  });
  afterAll(async () => {
    await guard.safeFetch.close();
    await side.close();
  });

  let count = 0;
  const outgoing = (text: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    channelId: side.channelId,
    text,
    authorName: 'Ada',
    ownId: `own-${++count}`,
    ...more,
  });
  const shown = (id: string) => side.shown().find((message) => message.id === id);

  async function fetched(since: Date, known: KnownMessage[] = []): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    const options = { signal: leave.signal, known: async () => known, missing: new Map() };
    for await (const page of chat.fetchSince(side.channelId, since, options)) {
      events.push(...page.events);
    }
    return events;
  }

  describe('who and where', () => {
    it('says who we are', async () => {
      expect(await chat.check()).toMatchObject({
        workspaceName: side.workspaceName,
        botName: 'atrium',
      });
    });

    it('lists channels by name, with whether the bot is in them', async () => {
      const { channels } = await chat.listChannels('');
      const found = channels.map(({ name: channel, isMember }) => [channel, isMember]);
      expect(found).toEqual(
        expect.arrayContaining([
          ['general', true],
          ['elsewhere', false],
        ]),
      );
      const { channels: some } = await chat.listChannels('GENE');
      expect(some.map(({ id }) => id)).toEqual([side.channelId]);
      expect(await chat.getChannel(side.otherChannelId)).toMatchObject({ isMember: false });
    });

    it('knows people, with their address', async () => {
      const { person } = side;
      expect(await chat.getUser(person.id)).toMatchObject({
        name: person.name,
        email: person.email,
        isBot: false,
      });
      await expect(chat.getUser('U-nobody')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('outbound', () => {
    it('posts with the author’s name, finds it by our id, edits and deletes it', async () => {
      const first = outgoing('**Hello** from _us_');
      const id = await chat.post(first);
      expect(shown(id)).toMatchObject({
        isOwn: true,
        authorName: 'Ada via Atrium',
        threadId: undefined,
      });
      const since = new Date();
      expect(await chat.findOwn({ ...first, since })).toBe(id);
      expect(await chat.findOwn({ ...first, ownId: 'unknown', since })).toBeUndefined();
      await chat.edit(id, { ...first, text: 'Hello again' });
      expect(shown(id)?.text).toContain('Hello again');
      await chat.delete(side.channelId, id);
      expect(shown(id)).toBeUndefined();
      await chat.delete(side.channelId, id);
      await expect(chat.edit(id, first)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('finds a reply by our id, in its thread', async () => {
      const threadId = side.write('root');
      const reply = outgoing('reply', { threadId });
      const id = await chat.post(reply);
      expect(shown(id)).toMatchObject({ threadId, isOwn: true });
      expect(await chat.findOwn({ ...reply, since: new Date() })).toBe(id);
    });

    it('finds what arrived although the response was lost', async () => {
      side.faults.next(side.posting, { isLate: true });
      const lost = outgoing('lost response');
      const since = new Date();
      await expect(chat.post(lost)).rejects.toMatchObject({ code: 'temporary' });
      expect(await chat.findOwn({ ...lost, since })).toBe(side.shown().at(-1)?.id);
    });

    it('sets and removes a reaction, twice without harm', async () => {
      const id = side.write('react to me');
      for (let turn = 0; turn < 2; turn++) await chat.react(side.channelId, id, '🎉');
      expect(shown(id)?.reactions).toEqual(['tada']);
      for (let turn = 0; turn < 2; turn++) await chat.unreact(side.channelId, id, '🎉');
      expect(shown(id)?.reactions).toEqual([]);
    });

    it('cuts 40,000 characters to one message, with a link to the rest', async () => {
      const link = 'https://atrium.example.com/s/1';
      const id = await chat.post(outgoing('& long '.repeat(6_000), { link }));
      const { text = '' } = shown(id) ?? {};
      expect(text.length).toBeLessThan(17_000);
      expect(text).toContain(link);
      await chat.edit(id, outgoing('x'.repeat(40_000), { link }));
    });

    it('notifies nobody but those who are linked', async () => {
      const text = '@channel @here @all @everyone <!channel> <@U1> @maria.';
      const plain = shown(await chat.post(outgoing(text)))?.text ?? '';
      // In Slack only `<…>` notifies, and in Mattermost a name after an @.
      const notifying = name === 'SLACK' ? /<[!@]/ : /@(channel|here|all|everyone|maria)/;
      expect(plain).not.toMatch(notifying);
      const mentions = new Map([['maria', side.person.id]]);
      const linked = shown(await chat.post(outgoing(text, { mentions })))?.text ?? '';
      expect(linked).toMatch(name === 'SLACK' ? /<@U\w+>\.$/ : /@maria\.$/);
      expect(linked.replace(/\S+\.$/, '')).not.toMatch(notifying);
    });
  });

  describe('failures', () => {
    it('knows a channel that the bot is not in', async () => {
      const message = outgoing('no', { channelId: side.otherChannelId });
      await expect(chat.post(message)).rejects.toMatchObject({ code: 'not_in_channel' });
    });

    it('says how long to wait', async () => {
      side.faults.next(side.posting, { status: 429, retryAfter: 7 });
      await expect(chat.post(outgoing('later'))).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfterMs: 7_000,
      });
    });

    it('calls errors of the server temporary', async () => {
      for (const fault of [{ status: 500 }, { status: 503 }, {}]) {
        side.faults.next(side.posting, fault);
        await expect(chat.post(outgoing('later'))).rejects.toMatchObject({ code: 'temporary' });
      }
    });

    it('throws the caller’s own reason when stopped', async () => {
      const reason = new Error('enough');
      const stopped = AbortSignal.abort(reason);
      await expect(chat.post(outgoing('never'), stopped)).rejects.toBe(reason);
      await expect(chat.listen(stopped)).rejects.toBe(reason);
    });

    it('knows a wrong token', async () => {
      const settings = { ...side.settings, botToken: 'xoxb-wrong', appToken: 'xapp-wrong' };
      const stranger = openChat(name, settings, guard);
      await expect(stranger.check()).rejects.toMatchObject({ code: 'unauthorized' });
      await expect(stranger.listen(leave.signal)).rejects.toMatchObject({ code: 'unauthorized' });
    });
  });

  describe('events', () => {
    beforeEach(() => side.forget());

    it('arrive in a stream: messages, replies, edits, deletions, reactions', async () => {
      const stream = await chat.listen(leave.signal);
      const id = side.write('first');
      const reply = side.write('reply', { threadId: id });
      side.rewrite(id, 'first, edited');
      side.react(id, 'tada');
      side.unreact(id, 'tada');
      side.remove(reply);
      const events = await collect(stream, 6);
      expect(events.map(({ kind }) => kind)).toEqual([
        'message',
        'message',
        'message',
        'reaction_added',
        'reaction_removed',
        'message_deleted',
      ]);
      const [first, second, edited, added, , deleted] = events;
      expect(first).toMatchObject({
        channelId: side.channelId,
        message: { id, text: 'first', authorId: side.person.id, isBot: false, isOwn: false },
      });
      expect(second).toMatchObject({ message: { id: reply, threadId: id } });
      expect(edited).toMatchObject({ message: { id, text: 'first, edited' } });
      const { message } = edited as { message: { editedAt?: Date; createdAt: Date } };
      expect(message.editedAt?.getTime()).toBeGreaterThanOrEqual(message.createdAt.getTime());
      expect(added).toMatchObject({
        messageId: id,
        emoji: '🎉',
        userId: side.person.id,
        isOwn: false,
      });
      expect(deleted).toMatchObject({ messageId: reply, threadId: id });
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(6);
    });

    it('say what is ours and what is another program’s, and make files links', async () => {
      const stream = await chat.listen(leave.signal);
      const own = outgoing('ours');
      const id = await chat.post(own);
      await chat.react(side.channelId, id, '🎉');
      side.writeAsBot('beep');
      side.writeWithFile('', 'plan.pdf');
      const events = await collect(stream, 4);
      expect(events).toMatchObject([
        { message: { id, isOwn: true, isBot: true } },
        { kind: 'reaction_added', isOwn: true },
        { message: { text: 'beep', isOwn: false, isBot: true } },
        {
          message: {
            text: expect.stringMatching(
              /^\uE004📎 \[plan\.pdf\]\(https:\/\/\S+\)\uE005$/,
            ) as string,
          },
        },
      ]);
    });

    it('are in the right order and once each for many messages', async () => {
      const stream = await chat.listen(leave.signal);
      const ids = Array.from({ length: 300 }, (_each, index) => side.write(`message ${index}`));
      const events = await collect(stream, 300);
      const texts = events.map((event) => event.kind === 'message' && event.message.id);
      expect(texts).toEqual(ids);
    });

    it('end with the connection', async () => {
      const stream = await chat.listen(leave.signal);
      const reading = collect(stream, 2);
      side.write('before');
      side.dropConnections();
      await expect(reading).rejects.toMatchObject({ code: 'temporary' });
    });

    it('end when the signal aborts, or when the loop is left', async () => {
      const stream = await chat.listen(leave.signal);
      const reading = collect(stream, 1);
      leave.abort();
      expect(await reading).toEqual([]);
      leave = new AbortController();
      side.write('one');
      const other = await chat.listen(leave.signal);
      side.write('two');
      expect(await collect(other, 1)).toHaveLength(1);
      await expect.poll(() => side.listeners()).toBe(0);
    });
  });

  describe('what was missed', () => {
    it('is fetched as it is now: written, edited, reacted to and deleted, with replies', async () => {
      const before = new Date();
      const kept = side.write('kept');
      const edited = side.write('to be edited');
      const removed = side.write('to be removed');
      const reply = side.write('reply', { threadId: kept });
      const goneReply = side.write('reply that goes', { threadId: kept });
      side.rewrite(edited, 'edited');
      side.react(kept, '+1');
      side.remove(removed);
      side.remove(goneReply);
      // Slack's listing of what was written just now is not trusted.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
      const known = [kept, edited, removed, reply].map((id) => ({ id }));
      const events = await fetched(before, [...known, { id: goneReply, threadId: kept }]);
      const mine = new Map(
        events.flatMap((event) =>
          event.kind === 'message' ? [[event.message.id, event.message]] : [],
        ),
      );
      expect(mine.get(kept)).toMatchObject({
        text: 'kept',
        reactions: [{ emoji: '👍', userId: side.person.id }],
      });
      expect(mine.get(edited)).toMatchObject({
        text: 'edited',
        editedAt: expect.any(Date) as Date,
      });
      expect(mine.get(reply)).toMatchObject({ threadId: kept });
      const deleted = events.flatMap((each) =>
        each.kind === 'message_deleted' ? each.messageId : [],
      );
      expect(deleted).toEqual(expect.arrayContaining([removed, goneReply]));
      expect(deleted).not.toContain(kept);
      expect(mine.has(removed) || mine.has(goneReply)).toBe(false);
    });

    it('waits when it is told to slow down', async () => {
      const id = side.write('after the wait');
      side.faults.next(/history|since=/, { status: 429, retryAfter: 0 });
      const events = await fetched(new Date());
      expect(events.some((event) => event.kind === 'message' && event.message.id === id)).toBe(
        true,
      );
    });
  });

  it('stops at the first call after the token was revoked', async () => {
    side.revoke();
    await expect(chat.post(outgoing('no'))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(chat.listen(leave.signal)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(fetched(new Date())).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

/** Reads until so many events have arrived, or the stream has ended. */
async function collect(stream: ChatStream, most: number): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const delivery of stream) {
    events.push(...delivery.events);
    delivery.acknowledge();
    if (events.length >= most) break;
  }
  return events;
}
