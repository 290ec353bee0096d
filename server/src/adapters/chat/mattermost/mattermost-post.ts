import { emojiOf } from '../emoji.ts';
import { inertName } from '../inert-name.ts';
import { markQuote, withoutMarks, type ChatEvent, type ChatMessage } from '../provider.ts';
import { fromMattermost } from './mattermost-text.ts';

/** A post as events and lists give it; only what we read. */
export interface MattermostPost {
  id: string;
  create_at: number;
  update_at: number;
  edit_at: number;
  delete_at: number;
  user_id: string;
  channel_id: string;
  root_id: string;
  /** Set on a copy of an earlier version, which is listed as a deleted post. */
  original_id?: string;
  message: string;
  /** Empty, unless Mattermost itself wrote it (`system_join_channel`). */
  type: string;
  props?: Record<string, unknown>;
  metadata?: {
    files?: MattermostFile[];
    reactions?: { user_id: string; emoji_name: string }[] | null;
  };
}

interface MattermostFile {
  id: string;
  name: string;
  size?: number;
  mime_type?: string;
  /** Too old for what the workspace pays for. */
  archived?: boolean;
}

/** Who we are, and where. */
export interface MattermostSelf {
  id: string;
  username: string;
  baseUrl: string;
}

/** The post's property that says which message of ours it is. */
export const OWN_ID = 'atrium_id';

/** A message, or its deletion. Undefined for what nobody wrote, and for copies of earlier versions. */
export function postEvent(post: MattermostPost, self: MattermostSelf): ChatEvent | undefined {
  if (post.original_id || post.type.startsWith('system_')) return undefined;
  const { id, channel_id: channelId, root_id: threadId } = post;
  const time = new Date(post.update_at);
  if (post.delete_at > 0) return deletedPost(channelId, id, time, threadId);
  const message = messageOf(post, self);
  return { kind: 'message', eventId: `message:${id}:${post.edit_at}`, time, channelId, message };
}

export function deletedPost(
  channelId: string,
  messageId: string,
  time: Date,
  threadId?: string,
): ChatEvent {
  const eventId = `deleted:${messageId}`;
  const thread = threadId ? { threadId } : {};
  return { kind: 'message_deleted', eventId, time, channelId, messageId, ...thread };
}

/** The same with reactions. Each change of them changes `update_at` too. */
export function listedPostEvent(post: MattermostPost, self: MattermostSelf): ChatEvent | undefined {
  const event = postEvent(post, self);
  if (event?.kind !== 'message') return event;
  const reactions = (post.metadata?.reactions ?? []).flatMap((reaction) => {
    const emoji = emojiOf(reaction.emoji_name);
    return emoji === undefined ? [] : [{ emoji, userId: reaction.user_id }];
  });
  return {
    ...event,
    eventId: `listed:${post.id}:${post.update_at}`,
    message: { ...event.message, reactions },
  };
}

function messageOf(post: MattermostPost, self: MattermostSelf): ChatMessage {
  const { props = {} } = post;
  const ownId = props[OWN_ID];
  const isOwn = post.user_id === self.id;
  const given = props['override_username'];
  return {
    id: post.id,
    channelId: post.channel_id,
    ...(post.root_id !== '' && { threadId: post.root_id }),
    authorId: post.user_id,
    ...(typeof given === 'string' && { authorName: inertName(given) }),
    isBot: ['from_bot', 'from_webhook', 'from_plugin'].some((name) => isSet(props[name])),
    isOwn,
    ...(isOwn && typeof ownId === 'string' && { ownId }),
    text: textOf(post, self),
    ...filesOf(post, self),
    createdAt: new Date(post.create_at),
    ...(post.edit_at > 0 && { editedAt: new Date(post.edit_at) }),
  };
}

/** Mattermost writes some of its properties as text. */
function isSet(value: unknown): boolean {
  return value === true || value === 'true';
}

function textOf({ message, metadata, props = {} }: MattermostPost, self: MattermostSelf): string {
  const files = (metadata?.files ?? []).map((file) => shownFile(file, self));
  const attachments =
    message === '' && Array.isArray(props['attachments']) ? props['attachments'] : [];
  return [fromMattermost(message, self), ...files, ...attachments.map(attachmentOf)]
    .filter((part) => withoutMarks(part).trim() !== '')
    .join('\n\n');
}

function addressOf({ id }: MattermostFile, { baseUrl }: MattermostSelf): string {
  return `${baseUrl}/api/v4/files/${encodeURIComponent(id)}`;
}

function shownFile(file: MattermostFile, self: MattermostSelf): string {
  return markQuote(`📎 [${inertName(file.name) || 'File'}](${addressOf(file, self)})`);
}

function filesOf({ metadata }: MattermostPost, self: MattermostSelf): Pick<ChatMessage, 'files'> {
  const found = (metadata?.files ?? []).flatMap((file) => {
    const { name, size = 0, mime_type: mediaType = '', archived = false } = file;
    if (size === 0 || archived) return [];
    return [{ name, mediaType, size, source: addressOf(file, self), shown: shownFile(file, self) }];
  });
  return found.length === 0 ? {} : { files: found };
}

function attachmentOf(from: unknown): string {
  const { title, title_link: link, text, fallback } = (from ?? {}) as Record<string, unknown>;
  const heading =
    typeof title === 'string' && typeof link === 'string'
      ? `[${inertName(title) || 'Link'}](${link})`
      : title;
  const shown = [heading, text].filter((part) => typeof part === 'string' && part !== '');
  if (shown.length > 0) return markQuote(withoutMarks(shown.join('\n')));
  return typeof fallback === 'string' ? markQuote(withoutMarks(fallback)) : '';
}
