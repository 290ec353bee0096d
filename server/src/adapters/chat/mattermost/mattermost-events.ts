import { emojiOf } from '../emoji.ts';
import { inertName } from '../inert-name.ts';
import type { ChatEvent } from '../provider.ts';
import { postEvent, type MattermostPost, type MattermostSelf } from './mattermost-post.ts';
import { parseObject } from './parse-object.ts';

/** What the WebSocket sends. A reply to a request of ours has `seq_reply` and no event. */
export interface MattermostFrame {
  event?: string;
  seq?: number;
  seq_reply?: number;
  status?: string;
  data?: Record<string, unknown>;
  broadcast?: { channel_id?: string; user_id?: string };
}

interface MattermostChannel {
  id: string;
  display_name: string;
  update_at: number;
}

interface MattermostReaction {
  user_id: string;
  post_id: string;
  emoji_name: string;
  create_at?: number;
}

/** Undefined for events that we do not care for. */
export function readMattermostEvent(
  frame: MattermostFrame,
  self: MattermostSelf,
): ChatEvent | undefined {
  // Records in `data` are JSON inside JSON.
  const { event, data = {}, broadcast = {} } = frame;
  switch (event) {
    case 'posted':
    case 'post_edited': {
      const post = parseObject(data['post']) as MattermostPost | undefined;
      return post && postEvent(post, self);
    }
    case 'post_deleted': {
      const post = parseObject(data['post']) as MattermostPost | undefined;
      // The post is sent as it was before.
      return post && postEvent({ ...post, delete_at: post.delete_at || Date.now() }, self);
    }
    case 'reaction_added':
    case 'reaction_removed':
      return reactionEvent(event, frame, self);
    case 'channel_updated': {
      const channel = parseObject(data['channel']) as MattermostChannel | undefined;
      if (!channel) return undefined;
      return {
        kind: 'channel_renamed',
        eventId: `renamed:${channel.id}:${channel.update_at}`,
        time: new Date(channel.update_at),
        channelId: channel.id,
        name: inertName(channel.display_name),
      };
    }
    case 'channel_converted': {
      const channelId = textOf(data['channel_id']) ?? broadcast.channel_id;
      const time = new Date();
      const eventId = `converted:${channelId}:${time.getTime()}`;
      return channelId ? { kind: 'channel_converted', eventId, time, channelId } : undefined;
    }
    case 'channel_deleted':
      return left(textOf(data['channel_id']));
    case 'user_removed': {
      // The channel's members hear who left; the one who left hears from where.
      const userId = textOf(data['user_id']) ?? broadcast.user_id;
      return userId === self.id
        ? left(textOf(data['channel_id']) ?? broadcast.channel_id)
        : undefined;
    }
    default:
      return undefined;
  }
}

function reactionEvent(
  kind: 'reaction_added' | 'reaction_removed',
  { data = {}, broadcast = {} }: MattermostFrame,
  self: MattermostSelf,
): ChatEvent | undefined {
  const reaction = parseObject(data['reaction']) as MattermostReaction | undefined;
  const emoji = reaction && emojiOf(reaction.emoji_name);
  const channelId = broadcast.channel_id;
  if (emoji === undefined || !reaction || !channelId) return undefined;
  // A removal has no time of its own. Mattermost sends each event once.
  const time = kind === 'reaction_added' ? (reaction.create_at ?? Date.now()) : Date.now();
  return {
    kind,
    eventId: `${kind}:${reaction.post_id}:${reaction.user_id}:${reaction.emoji_name}:${time}`,
    time: new Date(time),
    channelId,
    messageId: reaction.post_id,
    userId: reaction.user_id,
    emoji,
    isOwn: reaction.user_id === self.id,
  };
}

function left(channelId: string | undefined): ChatEvent | undefined {
  if (!channelId) return undefined;
  const time = new Date();
  return { kind: 'channel_left', eventId: `left:${channelId}:${time.getTime()}`, time, channelId };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
