import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthority } from '../../../../test/harness/outside/certificates.ts';
import {
  startSlack,
  type SlackServer,
} from '../../../../test/harness/outside/chat/slack-server.ts';
import { createChatGuard } from '../create-chat-guard.ts';
import type { ChatGuard } from '../guard.ts';
import { openChat } from '../open-chat.ts';
import type { ChatEvent, ChatPage, ChatProvider, ChatStream, KnownMessage } from '../provider.ts';
import { readSlackEvent } from './slack-events.ts';

const authority = createAuthority();
const HOUR_MS = 3_600_000;
let slack: SlackServer;
let guard: ChatGuard;
let chat: ChatProvider;
let maria: string;
let channelId: string;
let leave: AbortController;

beforeAll(async () => {
  slack = await startSlack(authority);
  guard = createChatGuard(
    { chatAllowHosts: [], slackOrigin: slack.origin },
    { dnsServers: [], ownOrigin: 'https://atrium.example.com', ca: authority.certificate },
  );
  const { botToken, appToken } = slack;
  chat = openChat('SLACK', { botToken, appToken }, guard);
  maria = slack.addUser('maria').id;
});
beforeEach(() => {
  leave = new AbortController();
  slack.deliveries.forget();
  slack.deliveries.disturb({});
  channelId = slack.addChannel(`channel-${Math.random()}`, [slack.botUserId, maria]).id;
});
afterEach(() => {
  leave.abort();
  vi.useRealTimers();
});
afterAll(async () => {
  await guard.safeFetch.close();
  await slack.close();
});

async function read(stream: ChatStream, most: number, isStored = true): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const delivery of stream) {
    events.push(...delivery.events);
    if (isStored) delivery.acknowledge();
    if (events.length >= most) break;
  }
  return events;
}

async function pages(
  since: Date,
  known: KnownMessage[] = [],
  missing = new Map<string, number>(),
): Promise<ChatPage[]> {
  const between = (from: Date, to: Date) =>
    known.filter(
      ({ id }) => Number(id) * 1000 >= from.getTime() && Number(id) * 1000 <= to.getTime(),
    );
  const options = {
    signal: leave.signal,
    known: async (from: Date, to: Date) => between(from, to),
    missing,
  };
  return Array.fromAsync(chat.fetchSince(channelId, since, options));
}

const fetched = async (since: Date, known: KnownMessage[] = []) =>
  (await pages(since, known)).flatMap(({ events }) => events);

const idsOf = (events: ChatEvent[]) =>
  events.flatMap((event) => (event.kind === 'message' ? event.message.id : []));
const goneIn = (events: ChatEvent[]) =>
  events.flatMap((event) => (event.kind === 'message_deleted' ? event.messageId : []));
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe('Socket Mode', () => {
  it('repeats what nobody acknowledged, and nothing else', async () => {
    slack.write(channelId, maria, 'stored');
    expect(await read(await chat.listen(leave.signal), 1)).toHaveLength(1);
    await expect.poll(() => slack.deliveries.unacknowledged()).toBe(0);
    slack.write(channelId, maria, 'lost on the way');
    const [first] = await read(await chat.listen(leave.signal), 1, false);
    const [again] = await read(await chat.listen(leave.signal), 1);
    expect(again).toMatchObject({ eventId: first?.eventId, message: { text: 'lost on the way' } });
  });

  it('acknowledges at once what is not for us', async () => {
    await chat.listen(leave.signal);
    slack.emit({ type: 'team_join', event_ts: slack.newTs() }, channelId);
    await expect.poll(() => slack.deliveries.unacknowledged()).toBe(0);
  });

  it('ends normally when Slack wants a new connection', async () => {
    const stream = await chat.listen(leave.signal);
    slack.write(channelId, maria, 'before');
    slack.refreshConnections();
    expect(await read(stream, 2)).toHaveLength(1);
  });

  it('gives copies of one event the same id, whatever Slack calls them', async () => {
    const stream = await chat.listen(leave.signal);
    let isHeld = false;
    slack.deliveries.disturb({ copies: () => 11, isLate: () => (isHeld = !isHeld) });
    const first = slack.write(channelId, maria, 'one');
    const second = slack.write(channelId, maria, 'two');
    slack.unfurl(channelId, first.ts);
    slack.deliveries.flush();
    const events = await read(stream, 33);
    expect(idsOf(events).slice(0, 11)).toEqual(Array(11).fill(second.ts));
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2);
  });

  it('leaves nothing open when Slack does not greet us', async () => {
    slack.faults.next(/apps\.connections\.open/, { status: 500 });
    await expect(chat.listen(leave.signal)).rejects.toMatchObject({ code: 'temporary' });
    slack.faults.next(/apps\.connections\.open/, { status: 429, retryAfter: 3 });
    await expect(chat.listen(leave.signal)).rejects.toMatchObject({ retryAfterMs: 3000 });
  });
});

describe('what was missed', () => {
  it('includes edits, deletions and tombstones from before we left', async () => {
    const [edited, removed, root] = ['a', 'b', 'c'].map(
      (text) => slack.write(channelId, maria, text).ts,
    );
    const reply = slack.write(channelId, maria, 'reply', { thread_ts: root ?? '' }).ts;
    const known = [edited, removed, root].map((id) => ({ id: id ?? '' }));
    later(60_000);
    const left = new Date();
    later(60_000);
    slack.rewrite(channelId, edited ?? '', 'a2', maria);
    slack.remove(channelId, removed ?? '');
    slack.remove(channelId, root ?? '');
    later(10_000);
    const events = await fetched(left, [...known, { id: reply, threadId: root ?? '' }]);
    expect(events).toContainEqual(
      expect.objectContaining({
        message: expect.objectContaining({ id: edited, text: 'a2' }) as object,
      }),
    );
    expect(new Set(goneIn(events))).toEqual(new Set([removed, root]));
    expect(idsOf(events)).toContain(reply);
  });

  it('includes replies to messages of last week', async () => {
    const root = slack.write(channelId, maria, 'root').ts;
    const old = slack.write(channelId, maria, 'old', { thread_ts: root }).ts;
    const gone = slack.write(channelId, maria, 'gone', { thread_ts: root }).ts;
    later(72 * HOUR_MS);
    const left = new Date();
    later(60_000);
    const reply = slack.write(channelId, maria, 'new', { thread_ts: root }).ts;
    slack.remove(channelId, gone);
    const known = [{ id: root }, { id: old, threadId: root }, { id: gone, threadId: root }];
    const events = await fetched(left, known);
    expect(idsOf(events)).toEqual([old, reply]);
    expect(goneIn(events)).toEqual([gone]);
  });

  it('is read in stretches, oldest first, each message once', async () => {
    const written = Array.from({ length: 450 }, (_each, index) => {
      return slack.write(channelId, maria, `message ${index}`).ts;
    });
    const events = await fetched(new Date(Date.now() - 1000));
    expect([...new Set(idsOf(events))]).toEqual(written);
  });

  it('never takes a message for deleted that was written just now, and says when to look again', async () => {
    const left = new Date();
    const missing = [{ id: (Date.now() / 1000).toFixed(6) }];
    const early = await pages(left, missing);
    expect(early.flatMap(({ events }) => goneIn(events))).toEqual([]);
    const [againInMs = 0] = early.flatMap((page) => page.againInMs ?? []);
    later(againInMs + 1);
    const then = await pages(left, missing);
    expect(then.flatMap(({ events }) => goneIn(events))).toEqual([missing[0]?.id]);
    expect(then.flatMap((page) => page.againInMs ?? [])).toEqual([]);
  });

  it('looks for a deleted message twice and not more, if our clock is behind Slack’s', async () => {
    const id = `${(Date.now() + 50_000) / 1000}000`;
    const missing = new Map<string, number>();
    const look = () => pages(new Date(), [{ id }], missing);
    const isGone = (read: ChatPage[]) =>
      read.some(({ events }) => events.some(({ kind }) => kind === 'message_deleted'));
    const first = await look();
    expect(first.map(({ againInMs }) => againInMs)).toContain(5_000);
    expect(isGone(first)).toBe(false);
    // As if the five seconds had passed.
    missing.set(id, (missing.get(id) ?? 0) - 5_000);
    const second = await look();
    expect(isGone(second)).toBe(true);
    expect(second.map(({ againInMs }) => againInMs)).not.toContain(5_000);
  });

  it('says where to continue, by Slack’s clock', async () => {
    const { ts } = slack.write(channelId, maria, 'last');
    const options = { signal: leave.signal, known: async () => [], missing: new Map() };
    const places: number[] = [];
    const since = new Date(Date.now() - 50 * HOUR_MS);
    for await (const { place } of chat.fetchSince(channelId, since, options))
      places.push(place.getTime());
    expect(places.at(-1)).toBe(Math.floor(Number(ts) * 1000));
    expect(places.toSorted((one, other) => one - other)).toEqual(places);
  });
});

describe('the Events API', () => {
  const event = (fields: object) =>
    readSlackEvent({
      type: 'event_callback',
      team_id: 'T1',
      api_app_id: 'A1',
      authorizations: [{ user_id: 'UBOT', is_bot: true }],
      event: { event_ts: '1700000000.000100', ...fields },
    });
  const message = {
    type: 'message',
    channel: 'C1',
    user: 'U1',
    ts: '1700000000.000100',
    text: 'hi',
  };

  it('answers the test of the address', () => {
    const body = { type: 'url_verification', challenge: 'abc', token: 't' };
    expect(readSlackEvent(body)).toEqual({ kind: 'challenge', challenge: 'abc' });
  });

  it('reads messages, and knows which are ours', () => {
    expect(event(message)).toMatchObject({
      teamId: 'T1',
      events: [{ kind: 'message', message: { authorId: 'U1', isOwn: false, isBot: false } }],
    });
    const ours = [{ user: 'UBOT' }, { bot_id: 'B1', app_id: 'A1', subtype: 'bot_message' }];
    for (const fields of ours) {
      expect(event({ ...message, ...fields })).toMatchObject({
        events: [{ message: { isOwn: true } }],
      });
    }
    const others = { ...message, bot_id: 'B2', app_id: 'A2' };
    expect(event(others)).toMatchObject({ events: [{ message: { isOwn: false, isBot: true } }] });
  });

  it('reads what happens to channels and to the app', () => {
    const kinds = [
      { type: 'channel_rename', channel: { id: 'C1', name: 'new' } },
      { type: 'channel_archive', channel: 'C1' },
      { type: 'channel_left', channel: 'C1' },
      { type: 'app_uninstalled' },
      { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } },
    ].map((fields) => (event(fields) as { events: ChatEvent[] }).events[0]?.kind);
    expect(kinds).toEqual([
      'channel_renamed',
      'channel_left',
      'channel_left',
      'revoked',
      'revoked',
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['text', 'event'],
    ['null', null],
    ['no event', { type: 'event_callback' }],
    ['another kind', { type: 'app_rate_limited' }],
  ])('makes no events of %s', (_name, body) => {
    expect(readSlackEvent(body)).toMatchObject({ kind: 'events', events: [] });
  });

  it.each([
    { type: 'message', subtype: 'channel_join', channel: 'C1', ts: '1.1', user: 'U1' },
    { type: 'message', ts: '1.1' },
    { type: 'message', subtype: 'message_changed', channel: 'C1' },
    {
      type: 'reaction_added',
      reaction: 'party_parrot',
      user: 'U1',
      item: { type: 'message', channel: 'C1', ts: '1.1' },
    },
    { type: 'reaction_added', reaction: '+1', user: 'U1', item: { type: 'file' } },
    { type: 'tokens_revoked', tokens: { oauth: ['U1'] } },
  ])('makes no events of %j', (fields) => {
    expect(event(fields)).toMatchObject({ events: [] });
  });

  it('makes links of attachments when there is no text', () => {
    const attachments = [
      { title: 'Build 7', title_link: 'https://ci.example.com/7', text: '*failed*' },
    ];
    expect(event({ ...message, text: '', attachments, bot_id: 'B2' })).toMatchObject({
      events: [
        { message: { text: '\uE004[Build 7](https://ci.example.com/7)\n**failed**\uE005' } },
      ],
    });
  });
});

describe('failures', () => {
  it('knows a server that is not Slack', async () => {
    for (const fault of [{ status: 404 }, { status: 200 }]) {
      slack.faults.next(/auth\.test/, fault);
      await expect(chat.check()).rejects.toMatchObject({ code: 'wrong_server' });
    }
  });

  it('refuses an address that is private and not allowed', async () => {
    const { ca: _ca, ...network } = {
      dnsServers: [],
      ownOrigin: 'https://atrium.example.com',
      ca: '',
    };
    const other = createChatGuard({ chatAllowHosts: [], slackOrigin: undefined }, network);
    const { safeFetch } = other;
    const chatThere = openChat(
      'SLACK',
      { botToken: 'x' },
      { safeFetch, slackOrigin: slack.origin },
    );
    await expect(chatThere.check()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('CHAT_ALLOW_HOSTS') as string,
    });
  });
});
