export type ChatProviderName = 'SLACK' | 'MATTERMOST';

/** What a connection stores about itself. The tokens come from the vault and are never logged. */
export interface ChatSettings {
  botToken: string;
  /** Slack with Socket Mode. Without it `listen` is not possible: events arrive by webhook. */
  appToken?: string | undefined;
  /** Mattermost: an https origin, with a path if it is served under one. */
  serverUrl?: string | undefined;
}

/**
 * One chat system, as one bot sees it. Every method throws a ChatFailure, or the reason of the caller's
 * signal. Nothing is retried here except in `fetchSince`: jobs know better how long to wait.
 */
export interface ChatProvider {
  /** Who we are there. The first call for a new token: it tells whether the token and the address work. */
  check(signal?: AbortSignal): Promise<ChatIdentity>;

  /** Channels the bot can see, those whose name contains `query` (all if empty). Not in any order. */
  listChannels(query: string, cursor?: string, signal?: AbortSignal): Promise<ChatChannels>;
  /** `not_found` for conversations between people. */
  getChannel(channelId: string, signal?: AbortSignal): Promise<ChatChannel>;
  /** Never from memory: what the chat system says about the address may have changed. */
  getUser(userId: string, signal?: AbortSignal): Promise<ChatUser>;

  /** The new message's id. It may have arrived even if this throws: call `findOwn` before sending it again. */
  post(message: OutgoingMessage, signal?: AbortSignal): Promise<string>;
  /**
   * Sends the bytes of a file. Nobody sees it until its id is given to `post`, or to `threadFiles.share` if there
   * is that. `too_large`: not this one.
   */
  upload(channelId: string, file: FileUpload, signal?: AbortSignal): Promise<string>;
  /** Only where a message of ours can't bring files itself. */
  threadFiles?: ThreadFiles;
  /** Only where it does: the message loses all its files but these. */
  keepFiles?(messageId: string, fileIds: readonly string[], signal?: AbortSignal): Promise<void>;
  /** The id of the message that was posted with this `ownId`; undefined if there is none since then. */
  findOwn(place: OwnPlace, signal?: AbortSignal): Promise<string | undefined>;
  /** Replaces the text. `not_found` if the message no longer exists. */
  edit(messageId: string, message: OutgoingMessage, signal?: AbortSignal): Promise<void>;
  /** Returns normally if the message is already gone. */
  delete(channelId: string, messageId: string, signal?: AbortSignal): Promise<void>;
  /** Returns normally if it is already there, or if the system has no name for the emoji. */
  react(channelId: string, messageId: string, emoji: string, signal?: AbortSignal): Promise<void>;
  /** Returns normally if it is already gone. */
  unreact(channelId: string, messageId: string, emoji: string, signal?: AbortSignal): Promise<void>;

  /**
   * Everything that changed in a channel since a time by the chat system's clock, oldest page first. It reads
   * some time before `since` again, so most of it may be known. Waits when the system asks it to slow down.
   */
  fetchSince(channelId: string, since: Date, options: FetchOptions): AsyncIterable<ChatPage>;

  /** The bytes of a file. They may be fewer or more than its `size`: whoever stores them has to count. */
  download(file: ChatFile, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;

  /**
   * Connects and returns when the system delivers events. The stream ends normally if the system asks for a
   * new connection, and throws if the connection broke or events were missed. The caller connects again, then
   * fetches what it missed: with `listen` first, no event falls between the two.
   */
  listen(signal: AbortSignal): Promise<ChatStream>;
}

export interface ChatIdentity {
  workspaceId: string;
  workspaceName: string;
  botId: string;
  botName: string;
}

export interface ChatChannel {
  id: string;
  name: string;
  /** Whether only invited people can read it. */
  isPrivate: boolean;
  /** Whether the bot can read and write there. */
  isMember: boolean;
  isArchived: boolean;
}

export interface ChatChannels {
  channels: ChatChannel[];
  /** For the next page. */
  cursor?: string;
}

export interface ChatUser {
  id: string;
  /** As people there see it, inert. */
  name: string;
  email?: string;
  /** The chat system itself vouches for the address. Without that only `trustsEmails` makes it count. */
  isEmailVerified: boolean;
  /** Of another workspace or server, which says itself what their address is. It never counts. */
  isFromElsewhere: boolean;
  isBot: boolean;
  /** The chat system did not say whether it verifies addresses. The next message asks it again. */
  isInDoubt?: boolean;
}

export interface OutgoingMessage {
  channelId: string;
  /** The thread's first message there. */
  threadId?: string;
  /** Markdown. Nobody is notified by it, except people in `mentions`. */
  text: string;
  authorName: string;
  /** Our message's id. It travels with the message, unseen. */
  ownId: string;
  /** User ids there by the handle that the text mentions, without the @. */
  mentions?: ReadonlyMap<string, string>;
  /** What `upload` returned, for `post` where there is no `threadFiles`. An edit changes none of them. */
  fileIds?: readonly string[];
  /** Where the whole message can be read. Added if the text is too long for the chat system and is cut. */
  link?: string;
}

export interface FileUpload {
  name: string;
  size: number;
  /** As many bytes as `size`. Read once, and no faster than they are sent. */
  source: AsyncIterable<Uint8Array>;
}

/** Files that were uploaded, as one message in the thread of another. */
export interface ThreadFiles {
  /** They may have been shared even if this throws: ask `isShared` before doing it again. */
  share(
    place: { channelId: string; threadId: string },
    fileIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<void>;
  /** It may take some seconds until a file that was shared is. */
  isShared(channelId: string, fileId: string, signal?: AbortSignal): Promise<boolean>;
  /** Returns normally if it is gone. */
  remove(fileId: string, signal?: AbortSignal): Promise<void>;
  /** Deletes the message that shows it, with what else that shows. Returns normally if there is none. */
  hide(channelId: string, fileId: string, signal?: AbortSignal): Promise<void>;
}

export interface OwnPlace {
  channelId: string;
  threadId?: string;
  ownId: string;
  /** When it was first tried, by our clock. A few minutes' difference between the clocks are allowed for. */
  since: Date;
}

export interface ChatMessage {
  /** Unique in its channel. */
  id: string;
  channelId: string;
  /** The thread's first message. Undefined if this one is not a reply. */
  threadId?: string;
  /** Empty for a message from the system's own integrations. */
  authorId: string;
  /** Only if it comes with the message. Otherwise `getUser` tells. */
  authorName?: string;
  /** By any program, including ours. */
  isBot: boolean;
  /** By our own bot. Never a new message for us, whatever else it says. */
  isOwn: boolean;
  /** Our message's id, if we wrote it and the system says so. */
  ownId?: string;
  /** In our Markdown, with files as links. Mentions, and what others wrote, are marked: see `fillText`. */
  text: string;
  createdAt: Date;
  /** Set if the text was changed. Of two versions, the later one is right, in whichever order they arrive. */
  editedAt?: Date;
  /** Those whose bytes can be had. The text shows them too. */
  files?: ChatFile[];
  /** All of them, in pages of `fetchSince` only. */
  reactions?: { emoji: string; userId: string }[];
}

/** A file that somebody added to a message there. */
export interface ChatFile {
  /** As they named it. */
  name: string;
  mediaType: string;
  size: number;
  /** For `download`; its meaning is the adapter's. */
  source: string;
  /** How the message's text shows it, between blank lines. */
  shown: string;
}

interface EventBase {
  /** The same for every delivery of the same thing, so one connection sees each id once. */
  eventId: string;
  /** By the chat system's clock. */
  time: Date;
}

interface ChannelEvent extends EventBase {
  channelId: string;
}

/** What happened. Events can arrive in any order, and more than once. */
export type ChatEvent =
  /** A message as it is now, new or edited. */
  | (ChannelEvent & { kind: 'message'; message: ChatMessage })
  | (ChannelEvent & { kind: 'message_deleted'; messageId: string; threadId?: string })
  | (ChannelEvent & {
      kind: 'reaction_added' | 'reaction_removed';
      messageId: string;
      userId: string;
      /** Only emojis that Atrium knows are reported. */
      emoji: string;
      isOwn: boolean;
    })
  | (ChannelEvent & { kind: 'channel_renamed'; name: string })
  /** It became private, or public: `getChannel` tells. */
  | (ChannelEvent & { kind: 'channel_converted' })
  /** The bot can no longer read or write there: removed, archived or deleted. */
  | (ChannelEvent & { kind: 'channel_left' })
  /** The token no longer works, or the app was removed. */
  | (EventBase & { kind: 'revoked' });

export interface ChatDelivery {
  /** What has arrived since the last delivery, in order of arrival. Never empty. */
  events: ChatEvent[];
  /** After the events are stored. The system repeats what nobody acknowledged. */
  acknowledge(): void;
}

/** Ends when the signal given to `listen` aborts, or when the loop over it is left. */
export type ChatStream = AsyncIterable<ChatDelivery>;

export interface FetchOptions {
  signal: AbortSignal;
  /**
   * The messages we have of this channel that were written in this time (inclusive), deleted ones excepted.
   * Slack does not list deletions, nor replies to older messages: the adapter finds both with these.
   */
  known: (from: Date, to: Date) => Promise<KnownMessage[]>;
  /** When a message was first missing, by `performance.now()`. The caller keeps it from one call to the next. */
  missing: Map<string, number>;
}

export interface KnownMessage {
  id: string;
  threadId?: string;
}

export interface ChatPage {
  /** Messages as they are now, with reactions, and deletions. Can be empty. Oldest first. */
  events: ChatEvent[];
  /** Once this page is stored, fetching can continue from here. */
  place: Date;
  /** Set if it was too early to tell whether some messages are gone. Fetching again after this time tells. */
  againInMs?: number | undefined;
}

export type ChatFailureCode =
  /** The token is wrong, expired or revoked, or the bot was disabled. Only a new token helps. */
  | 'unauthorized'
  /** The token works but may not do this. The message says what is missing. */
  | 'forbidden'
  /** The guard refused the address. */
  | 'refused'
  /** Not a server of this kind. */
  | 'wrong_server'
  | 'not_in_channel'
  /** The channel, the message, its thread or the user does not exist, or is hidden from us. */
  | 'not_found'
  /** The system will never accept this message. */
  | 'rejected'
  /** The system takes no file of this size. */
  | 'too_large'
  /** `retryAfterMs` is set. */
  | 'rate_limited'
  /** Timeout, network, or an error of the server. */
  | 'temporary';

/** The message is safe for callers: no token, no resolved address, nothing from a response body. */
export class ChatFailure extends Error {
  readonly code: ChatFailureCode;
  /** How long the system asks us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ChatFailureCode, problem: string, retryAfterMs?: number) {
    super(problem);
    this.name = 'ChatFailure';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export function isChatFailure(error: unknown, ...codes: ChatFailureCode[]): error is ChatFailure {
  return error instanceof ChatFailure && codes.includes(error.code);
}

/**
 * Private-use characters around a user's id, and around what the author of a message did not write: names of
 * files and channels, and messages that were passed on. Adapters drop them from what people write.
 */
const MENTION = /\uE000([^\uE000\uE001]*)\uE001/g;
const QUOTE = /\uE004([^\uE004\uE005]*)\uE005/g;
const MARKS = /[\uE000\uE001\uE004\uE005]/g;

export function markMention(userId: string): string {
  return `\uE000${withoutMarks(userId)}\uE001`;
}

/** The text may have mentions that are marked. */
export function markQuote(text: string): string {
  return `\uE004${withoutQuoteMarks(text)}\uE005`;
}

/** Mentions stay marked. */
export function withoutQuoteMarks(text: string): string {
  return text.replaceAll(/[\uE004\uE005]/g, '');
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARKS, '');
}

/** The user ids that a message's text mentions, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, userId = '']) => userId))];
}

export interface FilledText {
  /** As people read it. Call this before a message is stored. */
  text: string;
  /** Only what its author wrote, in which mentions count. Others chose the names of others. */
  written: string;
}

/**
 * Writes each mention as `show` says: `mention` is what its author wrote, `name` a name that they did not
 * choose. An `@` before a name would make a mention of both.
 */
export function fillText(
  marked: string,
  show: (userId: string) => { mention: string } | { name: string },
): FilledText {
  const fill = (from: string, nameOf: (name: string) => string) =>
    from.replaceAll(MENTION, (_mark, userId: string, at: number) => {
      const shown = show(userId);
      if ('mention' in shown) return shown.mention;
      return (/[\w@.:-]/.test(from.charAt(at - 1)) ? ' ' : '') + nameOf(shown.name);
    });
  return {
    text: withoutMarks(fill(marked, (name) => name)),
    written: withoutMarks(fill(marked.replaceAll(QUOTE, ' '), () => ' ')),
  };
}
