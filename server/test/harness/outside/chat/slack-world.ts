export interface SlackUser {
  id: string;
  name: string;
  real_name: string;
  is_bot: boolean;
  is_email_confirmed: boolean;
  /** The workspace that they are of. With Slack Connect, people of others are in our channels. */
  team_id: string;
  is_stranger?: boolean;
  /** In Enterprise Grid: all workspaces that they are in. */
  enterprise_user?: { teams: string[] };
  profile: { display_name: string; real_name: string; email?: string };
}

export interface SlackChannel {
  id: string;
  name: string;
  is_private: boolean;
  is_archived: boolean;
  /** Between several people. */
  is_mpim?: boolean;
  /** User ids. */
  members: Set<string>;
}

export interface SlackMessage {
  type: 'message';
  subtype?: string;
  ts: string;
  thread_ts?: string;
  user?: string;
  bot_id?: string;
  app_id?: string;
  username?: string;
  text: string;
  edited?: { user: string; ts: string };
  files?: SlackFile[];
  attachments?: object[];
  reactions: { name: string; users: string[]; count: number }[];
  metadata?: object;
}

export interface SlackFile {
  id: string;
  name: string;
  permalink: string;
  url_private?: string;
  mimetype?: string;
  size?: number;
  mode?: string;
}

export type NewMessage = Partial<Omit<SlackMessage, 'type' | 'ts' | 'text' | 'reactions'>>;

export const TEAM_ID = 'T0ACME';
export const APP_ID = 'A0ATRIUM';
export const BOT_ID = 'B0ATRIUM';
export const BOT_USER_ID = 'U0ATRIUM';

/** In millionths of a second. */
const MINUTE = 60_000_000;

export type SlackWorld = ReturnType<typeof createSlackWorld>;

/** What Slack stores, and the events it makes of changes. */
export function createSlackWorld(
  emit: (event: Record<string, unknown>, channelId: string) => void,
) {
  const users = new Map<string, SlackUser>();
  const channels = new Map<string, SlackChannel>();
  const messages = new Map<string, SlackMessage[]>();
  let lastTime = 0;

  /** With six decimals, and never the same twice. A test may turn the clock back by more than a minute. */
  function newTs(): string {
    const now = Date.now() * 1000;
    lastTime = lastTime >= now && lastTime < now + MINUTE ? lastTime + 1 : now;
    return `${Math.floor(lastTime / 1_000_000)}.${String(lastTime % 1_000_000).padStart(6, '0')}`;
  }

  function addUser(name: string, more: Partial<SlackUser> & { email?: string } = {}): SlackUser {
    const { email = `${name}@example.com`, ...fields } = more;
    const user = {
      id: `U${String(users.size + 1).padStart(4, '0')}`,
      name,
      real_name: name,
      is_bot: false,
      is_email_confirmed: true,
      team_id: TEAM_ID,
      profile: { display_name: name, real_name: name, email },
      ...fields,
    };
    users.set(user.id, user);
    return user;
  }

  function addChannel(name: string, members: readonly string[], isPrivate = false): SlackChannel {
    const channel = {
      id: `C${String(channels.size + 1).padStart(4, '0')}`,
      name,
      is_private: isPrivate,
      is_archived: false,
      members: new Set(members),
    };
    channels.set(channel.id, channel);
    messages.set(channel.id, []);
    return channel;
  }

  function of(channelId: string): SlackMessage[] {
    return messages.get(channelId) ?? [];
  }

  function find(channelId: string, ts: string): SlackMessage | undefined {
    return of(channelId).find((message) => message.ts === ts);
  }

  function required(channelId: string, ts: string): SlackMessage {
    const message = find(channelId, ts);
    if (!message) throw new Error('the test names a message that is not there');
    return message;
  }

  /** Writes a message as somebody; `more` makes it a reply, a bot's, a file, and so on. */
  function write(
    channelId: string,
    userId: string | undefined,
    text: string,
    more: NewMessage = {},
  ) {
    const message: SlackMessage = {
      type: 'message',
      ts: newTs(),
      ...(userId !== undefined && { user: userId }),
      text,
      reactions: [],
      ...more,
    };
    of(channelId).push(message);
    emit({ ...shown(message), channel: channelId, event_ts: message.ts }, channelId);
    return message;
  }

  function rewrite(channelId: string, ts: string, text: string, userId = ''): SlackMessage {
    const message = required(channelId, ts);
    const before = shown({ ...message });
    message.text = text;
    message.edited = { user: userId, ts: newTs() };
    changed(channelId, message, before);
    return message;
  }

  /** As when a link preview is added: the message is sent again, and nobody edited it. */
  function unfurl(channelId: string, ts: string): void {
    const message = required(channelId, ts);
    changed(channelId, message, shown(message));
  }

  function changed(channelId: string, message: SlackMessage, before: object): void {
    const at = newTs();
    emit(
      {
        type: 'message',
        subtype: 'message_changed',
        hidden: true,
        ts: at,
        event_ts: at,
        channel: channelId,
        message: shown(message),
        previous_message: before,
      },
      channelId,
    );
  }

  /** The first message of a thread leaves a tombstone. */
  function remove(channelId: string, ts: string): void {
    const message = required(channelId, ts);
    const before = shown({ ...message });
    if (of(channelId).some(({ thread_ts: root, ts: own }) => root === ts && own !== ts)) {
      Object.assign(message, {
        subtype: 'tombstone',
        text: 'This message was deleted.',
        user: 'USLACKBOT',
        bot_id: undefined,
        app_id: undefined,
        metadata: undefined,
        reactions: [],
      });
      changed(channelId, message, before);
      return;
    }
    messages.set(
      channelId,
      of(channelId).filter((each) => each !== message),
    );
    const at = newTs();
    emit(
      {
        type: 'message',
        subtype: 'message_deleted',
        hidden: true,
        ts: at,
        event_ts: at,
        deleted_ts: ts,
        channel: channelId,
        previous_message: before,
      },
      channelId,
    );
  }

  /** False if it was there already. */
  function react(channelId: string, ts: string, userId: string, name: string): boolean {
    const message = required(channelId, ts);
    const reaction = message.reactions.find((each) => each.name === name);
    if (reaction?.users.includes(userId)) return false;
    if (reaction)
      Object.assign(reaction, { users: [...reaction.users, userId], count: reaction.count + 1 });
    else message.reactions.push({ name, users: [userId], count: 1 });
    emitReaction('reaction_added', channelId, ts, userId, name);
    return true;
  }

  function unreact(channelId: string, ts: string, userId: string, name: string): boolean {
    const message = required(channelId, ts);
    const reaction = message.reactions.find((each) => each.name === name);
    if (!reaction?.users.includes(userId)) return false;
    reaction.users = reaction.users.filter((each) => each !== userId);
    reaction.count -= 1;
    message.reactions = message.reactions.filter(({ count }) => count > 0);
    emitReaction('reaction_removed', channelId, ts, userId, name);
    return true;
  }

  function convert(channelId: string, isPrivate: boolean): void {
    const channel = channels.get(channelId);
    if (channel) channel.is_private = isPrivate;
    const subtype = isPrivate ? 'channel_convert_to_private' : 'channel_convert_to_public';
    write(channelId, undefined, 'converted this channel', { subtype });
  }

  function emitReaction(type: string, channel: string, ts: string, user: string, reaction: string) {
    const item = { type: 'message', channel, ts };
    emit({ type, user, reaction, item, event_ts: newTs() }, channel);
  }

  return {
    users,
    channels,
    messages,
    newTs,
    addUser,
    addChannel,
    find,
    write,
    rewrite,
    unfurl,
    remove,
    react,
    unreact,
    /** Makes a channel private, or public. */
    convert,
    emit,
    /** What people see, oldest first. */
    shown: (channelId: string) => of(channelId).filter(({ subtype }) => subtype !== 'tombstone'),
  };
}

/** In events and without `include_all_metadata`, the metadata is left out. */
function shown({ reactions, metadata: _metadata, ...message }: SlackMessage) {
  return { ...message, ...(reactions.length > 0 && { reactions }) };
}
