import type { Faults } from '../outside/chat/faults.ts';
import type { ChannelStage, MappedChannel } from './channel-stage.ts';

/** One person in a chat system, and what happens there, in the same words for both systems. */
export interface Chat {
  channel: MappedChannel;
  write(text: string, more?: { thread?: string; as?: 'bot' }): string;
  edit(id: string, text: string): void;
  remove(id: string): void;
  react(id: string, isSet: boolean): void;
  /** What people see, oldest first. */
  shown(): { id: string; text: string; name: string | undefined; thread: string | undefined }[];
  emojis(id: string): string[];
  drop(): void;
  /** What was not delivered yet never will be. */
  forget(): void;
  break429(): void;
  break500(): void;
  breakLate(): void;
}

export async function chatOnMattermost(stage: ChannelStage, fields?: object): Promise<Chat> {
  const { mattermost } = stage;
  const connectionId = await stage.connectMattermost();
  const channel = await stage.mapMattermost(connectionId, fields);
  const eve = mattermost.addUser({ username: `eve${Math.random()}`, nickname: 'Eve' });
  const bot = mattermost.addUser({ username: `bot${Math.random()}`, is_bot: true });
  const { channelId } = channel;
  return {
    channel,
    write: (text, { thread, as } = {}) =>
      mattermost.write(channelId, (as ? bot : eve).id, text, {
        ...(thread !== undefined && { rootId: thread }),
      }).id,
    edit: (id, text) => void mattermost.rewrite(id, text),
    remove: (id) => mattermost.remove(id),
    react: (id, isSet) =>
      isSet ? mattermost.react(id, eve.id, 'tada') : mattermost.unreact(id, eve.id, 'tada'),
    shown: () =>
      mattermost.shown(channelId).map(({ id, message, root_id: root }) => {
        // Mattermost shows the author in the text.
        const [, name, text = message] = /^\*\*(.+)\*\*\n([^]*)$/.exec(message) ?? [];
        return { id, text, name, thread: root || undefined };
      }),
    emojis: (id) => mattermost.posts.get(id)?.reactions.map((each) => each.emoji_name) ?? [],
    drop: () => mattermost.dropConnections(),
    forget: () => {},
    break429: () => mattermost.faults.next(/POST .*\/posts$/, { status: 429, retryAfter: 0 }),
    break500: () => mattermost.faults.next(/POST .*\/posts$/, { status: 500 }),
    breakLate: () => mattermost.faults.next(/POST .*\/posts$/, { isLate: true }),
  };
}

export async function chatOnSlack(stage: ChannelStage, fields?: object): Promise<Chat> {
  const { slack } = stage;
  const connectionId = await stage.connectSlack();
  const channel = await stage.mapSlack(connectionId, fields);
  const eve = slack.addUser('Eve', { email: 'eve@elsewhere.example' });
  const { channelId } = channel;
  return {
    channel,
    write: (text, { thread, as } = {}) =>
      slack.write(channelId, as ? undefined : eve.id, text, {
        ...(thread !== undefined && { thread_ts: thread }),
        ...(as && { subtype: 'bot_message', bot_id: 'B0OTHER', username: 'Other bot' }),
      }).ts,
    edit: (id, text) => void slack.rewrite(channelId, id, text, eve.id),
    remove: (id) => slack.remove(channelId, id),
    react: (id, isSet) =>
      void (isSet
        ? slack.react(channelId, id, eve.id, 'tada')
        : slack.unreact(channelId, id, eve.id, 'tada')),
    shown: () =>
      slack.shown(channelId).map(({ ts, text, username, thread_ts: thread }) => ({
        id: ts,
        text,
        name: username,
        thread: thread === ts ? undefined : thread,
      })),
    emojis: (id) => slack.find(channelId, id)?.reactions.map(({ name }) => name) ?? [],
    drop: () => slack.dropConnections(),
    forget: () => slack.deliveries.forget(),
    break429: () => slack.faults.next(/chat\.postMessage/, { status: 429, retryAfter: 0 }),
    break500: () => slack.faults.next(/chat\.postMessage/, { status: 500 }),
    breakLate: () => slack.faults.next(/chat\.postMessage/, { isLate: true }),
  };
}

/** A chat system in the same words for both. */
export interface Side {
  connect(): Promise<string>;
  add(name: string, isPrivate: boolean): string;
  addDirect(): string[];
  convert(channelId: string): void;
  write(channelId: string, text: string): void;
  /** The next reading of the channel's history waits for this. Resolves when it was asked for. */
  holdHistory(until: Promise<unknown>): Promise<void>;
}

let people = 0;

/** For `describe.each`: each chat system, and how to talk to that of a stage. */
export const SIDES: [string, (stage: ChannelStage) => Side][] = [
  [
    'Slack',
    (stage) => ({
      connect: () => stage.connectSlack(),
      add: (name, isPrivate) => stage.slack.addChannel(name, [stage.slack.botUserId], isPrivate).id,
      addDirect() {
        const channel = stage.slack.addChannel('mpdm', [stage.slack.botUserId], true);
        channel.is_mpim = true;
        return [channel.id];
      },
      convert: (channelId) => stage.slack.convert(channelId, true),
      write: (channelId, text) =>
        void stage.slack.write(channelId, stage.slack.addUser('Eve').id, text),
      holdHistory: (until) => holdNext(stage.slack.faults, /conversations\.history/, until),
    }),
  ],
  [
    'Mattermost',
    (stage) => ({
      connect: () => stage.connectMattermost(),
      add: (name, isPrivate) =>
        stage.mattermost.addChannel(name, [stage.mattermost.bot], isPrivate ? 'P' : 'O').id,
      addDirect: () =>
        (['D', 'G'] as const).map(
          (type) => stage.mattermost.addChannel('direct', [stage.mattermost.bot], type).id,
        ),
      convert: (channelId) => stage.mattermost.convert(channelId, 'P'),
      write: (channelId, text) =>
        void stage.mattermost.write(
          channelId,
          stage.mattermost.addUser({ username: `eve${++people}` }).id,
          text,
        ),
      holdHistory: (until) => holdNext(stage.mattermost.faults, /channels\/\w+\/posts/, until),
    }),
  ],
];

function holdNext(faults: Faults, match: RegExp, until: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    let isHeld = false;
    faults.script((request) => {
      if (isHeld || !match.test(request)) return undefined;
      isHeld = true;
      resolve();
      return { heldUntil: until };
    });
  });
}
