import type { ChatProviderName, ChatSettings } from '../../../../src/adapters/chat/provider.ts';
import type { Authority } from '../certificates.ts';
import type { Faults } from './faults.ts';
import type { Disorder } from './slack-deliveries.ts';
import { startMattermost } from './mattermost-server.ts';
import { startSlack } from './slack-server.ts';

/** A chat system with one channel that the bot is in, for tests that hold for every system. */
export interface ChatSide {
  provider: ChatProviderName;
  settings: ChatSettings;
  /** Lets a server of ours reach it. */
  env: Record<string, string>;
  workspaceName: string;
  channelId: string;
  /** Public, and the bot is not in it. */
  otherChannelId: string;
  person: { id: string; name: string; email: string };
  faults: Faults;
  /** Matches the request that posts a message, for faults. */
  posting: RegExp;
  /** Returns the message's id. Default: by the person, in the channel. */
  write(text: string, more?: { threadId?: string; userId?: string; channelId?: string }): string;
  /** By another program. */
  writeAsBot(text: string): string;
  writeWithFile(text: string, fileName: string): string;
  rewrite(id: string, text: string): void;
  remove(id: string): void;
  /** With a name of the chat system's, such as `tada`. */
  react(id: string, name: string): void;
  unreact(id: string, name: string): void;
  addPerson(name: string, email: string): { id: string };
  /** What people see in the channel, oldest first. */
  shown(): ShownMessage[];
  /** How many sockets are listening. */
  listeners(): number;
  /** Resolves when one is. */
  listening(): Promise<void>;
  dropConnections(): void;
  /** Slack repeats and delays events from now on. Mattermost does neither: it loses the next ones. */
  disturb(how: Disorder): void;
  /** Delivers what was delayed. */
  flush(): void;
  /** Events that nobody acknowledged are not sent again: Slack gives up after a while, too. */
  forget(): void;
  /** The bot's token stops working. */
  revoke(): void;
  close(): Promise<void>;
}

export interface ShownMessage {
  id: string;
  text: string;
  threadId: string | undefined;
  isOwn: boolean;
  authorName: string | undefined;
  reactions: string[];
  /** Their names. */
  files: string[];
}

export function startChatSide(provider: ChatProviderName, authority: Authority): Promise<ChatSide> {
  return provider === 'SLACK' ? startSlackSide(authority) : startMattermostSide(authority);
}

async function startSlackSide(authority: Authority): Promise<ChatSide> {
  const slack = await startSlack(authority);
  const { botUserId, botToken, appToken } = slack;
  const person = slack.addUser('maria');
  const { id: channelId } = slack.addChannel('general', [botUserId, person.id]);
  const { id: otherChannelId } = slack.addChannel('elsewhere', [person.id]);
  return {
    provider: 'SLACK',
    settings: { botToken, appToken },
    env: { SLACK_API_BASE: slack.origin },
    workspaceName: 'Acme',
    channelId,
    otherChannelId,
    person: { id: person.id, name: 'maria', email: 'maria@example.com' },
    faults: slack.faults,
    posting: /chat\.postMessage/,
    write: (text, { threadId, userId = person.id, channelId: channel = channelId } = {}) =>
      slack.write(channel, userId, text, threadId === undefined ? {} : { thread_ts: threadId }).ts,
    writeAsBot: (text) =>
      slack.write(channelId, undefined, text, { subtype: 'bot_message', bot_id: 'B0OTHER' }).ts,
    writeWithFile: (text, name) =>
      slack.write(channelId, person.id, text, {
        subtype: 'file_share',
        files: [{ id: 'F1', name, permalink: 'https://acme.slack.com/files/F1' }],
      }).ts,
    rewrite: (id, text) => void slack.rewrite(channelId, id, text, person.id),
    remove: (id) => slack.remove(channelId, id),
    react: (id, name) => void slack.react(channelId, id, person.id, name),
    unreact: (id, name) => void slack.unreact(channelId, id, person.id, name),
    addPerson: (name, email) => slack.addUser(name, { email }),
    shown: () =>
      slack.shown(channelId).map(({ ts, text, thread_ts: threadId, bot_id: bot, ...message }) => ({
        id: ts,
        text,
        threadId,
        isOwn: bot === slack.botId,
        authorName: message.username,
        reactions: message.reactions.map(({ name }) => name),
        files: (message.files ?? []).map(({ name }) => name),
      })),
    listeners: () => slack.deliveries.listeners(),
    listening: () => slack.listening(),
    dropConnections: () => slack.dropConnections(),
    disturb: (how) => slack.deliveries.disturb(how),
    flush: () => slack.deliveries.flush(),
    forget: () => slack.deliveries.forget(),
    revoke: () => slack.revokeTokens(),
    close: () => slack.close(),
  };
}

async function startMattermostSide(authority: Authority): Promise<ChatSide> {
  const mattermost = await startMattermost(authority);
  const { bot, botToken, url, host } = mattermost;
  const person = mattermost.addUser({ username: 'maria' });
  const robot = mattermost.addUser({ username: 'robot', is_bot: true });
  const { id: channelId } = mattermost.addChannel('general', [bot, person]);
  const { id: otherChannelId } = mattermost.addChannel('elsewhere', [person]);
  return {
    provider: 'MATTERMOST',
    settings: { botToken, serverUrl: url },
    env: { CHAT_ALLOW_HOSTS: host },
    workspaceName: 'Acme chat',
    channelId,
    otherChannelId,
    person: { id: person.id, name: 'maria', email: person.email },
    faults: mattermost.faults,
    posting: /POST .*\/posts$/,
    write: (text, { threadId, userId = person.id, channelId: channel = channelId } = {}) =>
      mattermost.write(channel, userId, text, threadId === undefined ? {} : { rootId: threadId })
        .id,
    writeAsBot: (text) => mattermost.write(channelId, robot.id, text).id,
    writeWithFile: (text, name) =>
      mattermost.write(channelId, person.id, text, { files: [name] }).id,
    rewrite: (id, text) => void mattermost.rewrite(id, text),
    remove: (id) => mattermost.remove(id),
    react: (id, name) => mattermost.react(id, person.id, name),
    unreact: (id, name) => mattermost.unreact(id, person.id, name),
    addPerson: (name, email) => mattermost.addUser({ username: name, email }),
    shown: () =>
      mattermost
        .shown(channelId)
        .map(({ id, message, root_id: root, user_id: userId, ...post }) => ({
          id,
          text: message,
          threadId: root || undefined,
          isOwn: userId === bot.id,
          // The name is in the text there.
          authorName: /^\*\*(.+?)\*\*\n/.exec(message)?.[1],
          reactions: post.reactions.map(({ emoji_name: name }) => name),
          files: post.files.map(({ name }) => name),
        })),
    listeners: () => mattermost.listeners(),
    listening: () => mattermost.listening(),
    dropConnections: () => mattermost.dropConnections(),
    disturb: () => mattermost.loseEvents(3),
    flush: () => {},
    forget: () => {},
    revoke: () => mattermost.revokeToken(),
    close: () => mattermost.close(),
  };
}
