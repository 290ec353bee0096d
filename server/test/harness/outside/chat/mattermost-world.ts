import { randomBytes } from 'node:crypto';

export interface MattermostUser {
  id: string;
  username: string;
  nickname: string;
  first_name: string;
  last_name: string;
  email: string;
  is_bot: boolean;
  remote_id?: string;
}

export interface MattermostChannel {
  id: string;
  team_id: string;
  type: 'O' | 'P' | 'D' | 'G';
  name: string;
  display_name: string;
  update_at: number;
  delete_at: number;
  /** User ids. */
  members: Set<string>;
}

export interface MattermostPost {
  id: string;
  create_at: number;
  update_at: number;
  edit_at: number;
  delete_at: number;
  user_id: string;
  channel_id: string;
  root_id: string;
  original_id: string;
  message: string;
  type: string;
  props: Record<string, unknown>;
  pending_post_id: string;
  files: MattermostFile[];
  reactions: { user_id: string; emoji_name: string; create_at: number }[];
}

export interface MattermostFile {
  id: string;
  name: string;
  size?: number;
  mime_type?: string;
}

export interface NewPost {
  rootId?: string;
  type?: string;
  props?: Record<string, unknown>;
  files?: (string | { name: string; content: Buffer } | MattermostFile)[];
  pendingPostId?: string;
}

/** To members of `channelId`, or to `userId` alone. */
export type Publish = (
  event: string,
  data: Record<string, unknown>,
  broadcast: { channel_id?: string; user_id?: string },
) => void;

export type MattermostWorld = ReturnType<typeof createMattermostWorld>;

/** What a server stores, and what it publishes about changes. */
export function createMattermostWorld(publish: Publish) {
  const users = new Map<string, MattermostUser>();
  const channels = new Map<string, MattermostChannel>();
  const fileContents = new Map<string, Buffer>();
  const uploads = new Map<string, MattermostFile>();
  const posts = new Map<string, MattermostPost>();
  const teamId = newId();
  let lastTime = 0;
  const now = () => (lastTime = Math.max(lastTime, Date.now()));

  function touch(post: MattermostPost | undefined): void {
    if (post) post.update_at = now();
  }

  function addUser(user: Partial<MattermostUser> & { username: string }): MattermostUser {
    const email = `${user.username}@example.com`;
    const added = { nickname: '', first_name: '', last_name: '', email, is_bot: false, ...user };
    const withId = { id: newId(), ...added };
    users.set(withId.id, withId);
    return withId;
  }

  function addChannel(
    name: string,
    members: readonly MattermostUser[],
    type: MattermostChannel['type'] = 'O',
  ): MattermostChannel {
    const channel = {
      id: newId(),
      team_id: teamId,
      type,
      name: name.toLowerCase().replaceAll(/\W+/g, '-'),
      display_name: name,
      update_at: now(),
      delete_at: 0,
      members: new Set(members.map(({ id }) => id)),
    };
    channels.set(channel.id, channel);
    return channel;
  }

  /** One that is only a name has no bytes: it was there before the server was moved. */
  function addFile(file: string | { name: string; content: Buffer } | MattermostFile) {
    const id = newId();
    if (typeof file === 'string') return { id, name: file };
    if (!('content' in file)) return file;
    fileContents.set(id, file.content);
    const { name, content } = file;
    return { id, name, size: content.length, mime_type: 'application/octet-stream' };
  }

  /** Nobody sees it until a post has it. */
  function upload(name: string, content: Buffer): MattermostFile {
    const file = addFile({ name, content });
    uploads.set(file.id, file);
    return file;
  }

  /** Writes a post as somebody. */
  function write(channelId: string, userId: string, message: string, more: NewPost = {}) {
    const at = now();
    const isBot = users.get(userId)?.is_bot === true;
    const post: MattermostPost = {
      id: newId(),
      create_at: at,
      update_at: at,
      edit_at: 0,
      delete_at: 0,
      user_id: userId,
      channel_id: channelId,
      root_id: more.rootId ?? '',
      original_id: '',
      message,
      type: more.type ?? '',
      props: { ...more.props, ...(isBot && { from_bot: 'true' }) },
      pending_post_id: more.pendingPostId ?? '',
      files: (more.files ?? []).map(addFile),
      reactions: [],
    };
    posts.set(post.id, post);
    touch(posts.get(post.root_id));
    const sender = `@${users.get(userId)?.username ?? ''}`;
    publish(
      'posted',
      { post: toJson(post), sender_name: sender, channel_type: 'O', team_id: teamId },
      { channel_id: channelId },
    );
    return post;
  }

  /** Keeps the earlier version as a deleted post of its own, as Mattermost does. */
  function rewrite(postId: string, message: string): MattermostPost {
    const post = required(posts.get(postId));
    const at = now();
    const copy = { ...post, id: newId(), original_id: post.id, delete_at: at, update_at: at };
    Object.assign(post, { message, update_at: at, edit_at: at });
    posts.set(copy.id, copy);
    touch(posts.get(post.root_id));
    publish('post_edited', { post: toJson(post) }, { channel_id: post.channel_id });
    return post;
  }

  /** With its replies, but with one event. */
  function remove(postId: string): void {
    const post = required(posts.get(postId));
    const at = now();
    const before = toJson(post);
    for (const each of posts.values()) {
      const isIt = each.id === postId || each.root_id === postId;
      if (isIt && each.delete_at === 0) Object.assign(each, { delete_at: at, update_at: at });
    }
    touch(posts.get(post.root_id));
    publish('post_deleted', { post: before }, { channel_id: post.channel_id });
  }

  function react(postId: string, userId: string, name: string): void {
    const post = required(posts.get(postId));
    const isThere = post.reactions.some(
      (each) => each.user_id === userId && each.emoji_name === name,
    );
    const reaction = { user_id: userId, emoji_name: name, create_at: now() };
    if (!isThere) post.reactions.push(reaction);
    touch(post);
    const sent = JSON.stringify({ ...reaction, post_id: postId, channel_id: post.channel_id });
    publish('reaction_added', { reaction: sent }, { channel_id: post.channel_id });
  }

  function unreact(postId: string, userId: string, name: string): void {
    const post = required(posts.get(postId));
    post.reactions = post.reactions.filter(
      (each) => each.user_id !== userId || each.emoji_name !== name,
    );
    touch(post);
    // Without the time at which it was added.
    const sent = JSON.stringify({
      user_id: userId,
      post_id: postId,
      emoji_name: name,
      create_at: 0,
    });
    publish('reaction_removed', { reaction: sent }, { channel_id: post.channel_id });
  }

  function rename(channelId: string, name: string): void {
    const channel = required(channels.get(channelId));
    Object.assign(channel, { display_name: name, update_at: now() });
    const { members: _members, ...record } = channel;
    publish('channel_updated', { channel: JSON.stringify(record) }, { channel_id: channelId });
  }

  function convert(channelId: string, type: 'O' | 'P'): void {
    Object.assign(required(channels.get(channelId)), { type, update_at: now() });
    publish('channel_converted', { channel_id: channelId }, { channel_id: channelId });
  }

  function removeMember(channelId: string, userId: string): void {
    required(channels.get(channelId)).members.delete(userId);
    publish('user_removed', { user_id: userId }, { channel_id: channelId });
    publish('user_removed', { channel_id: channelId }, { user_id: userId });
  }

  return {
    teamId,
    users,
    channels,
    posts,
    fileContents,
    uploads,
    upload,
    addUser,
    addChannel,
    write,
    rewrite,
    remove,
    react,
    unreact,
    rename,
    /** Makes a channel private (P), or public (O). */
    convert,
    removeMember,
    /** What people see, oldest first. */
    shown: (channelId: string) =>
      [...posts.values()].filter(
        (post) => post.channel_id === channelId && post.delete_at === 0 && post.type === '',
      ),
  };
}

export function toRecord(post: MattermostPost) {
  const { files, reactions, ...record } = post;
  const isGone = post.delete_at > 0;
  return {
    ...record,
    message: isGone ? '' : post.message,
    is_pinned: false,
    hashtags: '',
    file_ids: files.map(({ id }) => id),
    has_reactions: reactions.length > 0,
    metadata: isGone
      ? {}
      : { ...(files.length > 0 && { files }), ...(reactions.length > 0 && { reactions }) },
  };
}

function toJson(post: MattermostPost): string {
  return JSON.stringify(toRecord(post));
}

/** 26 characters, like every id of Mattermost. */
export function newId(): string {
  const letters = 'ybndrfg8ejkmcpqxot1uwisza345h769';
  return Array.from(randomBytes(26), (byte) => letters.charAt(byte % 32)).join('');
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the test names something that is not there');
  return value;
}
