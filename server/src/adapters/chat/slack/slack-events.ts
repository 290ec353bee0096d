import { emojiOf } from '../emoji.ts';
import { inertName } from '../inert-name.ts';
import type { ChatEvent } from '../provider.ts';
import {
  isOwn,
  readSlackMessage,
  timeOf,
  type SlackMessage,
  type SlackSelf,
} from './slack-message.ts';

/** A request of the Events API, whose signature was verified; or an envelope's payload in Socket Mode. */
export type SlackRequest =
  /** Slack tests the address: answer with the text. */
  | { kind: 'challenge'; challenge: string }
  /** `teamId`: the workspace that it is about. No events if we do not care for them. */
  | { kind: 'events'; teamId: string; events: ChatEvent[] };

interface SlackBody {
  type?: string;
  challenge?: unknown;
  team_id?: string;
  api_app_id?: string;
  event_time?: number;
  authorizations?: { user_id?: string; is_bot?: boolean }[];
  event?: SlackEvent;
}

interface SlackEvent extends Omit<SlackMessage, 'user'> {
  event_ts?: string;
  channel?: string | { id?: string; name?: string };
  user?: string;
  message?: SlackMessage;
  previous_message?: SlackMessage;
  deleted_ts?: string;
  reaction?: string;
  item?: { type?: string; channel?: string; ts?: string };
  tokens?: { bot?: string[] };
}

/** Never throws: what Slack may send in the future is not an error. */
export function readSlackEvent(body: unknown): SlackRequest {
  const from = (typeof body === 'object' && body !== null ? body : {}) as SlackBody;
  if (from.type === 'url_verification') {
    const { challenge } = from;
    return { kind: 'challenge', challenge: typeof challenge === 'string' ? challenge : '' };
  }
  const { team_id: teamId = '', event } = from;
  if (from.type !== 'event_callback' || !event) return { kind: 'events', teamId, events: [] };
  const self: SlackSelf = {
    userIds: (from.authorizations ?? []).flatMap(({ user_id: id, is_bot: isBot }) =>
      id !== undefined && isBot === true ? [id] : [],
    ),
    ...(from.api_app_id !== undefined && { appId: from.api_app_id }),
  };
  const time = timeOf(event.event_ts ?? event.ts ?? String(from.event_time ?? 0));
  const read = eventOf(event, time, self);
  return { kind: 'events', teamId, events: read ? [read] : [] };
}

function eventOf(event: SlackEvent, time: Date, self: SlackSelf): ChatEvent | undefined {
  const channelId = typeof event.channel === 'string' ? event.channel : (event.channel?.id ?? '');
  switch (event.type) {
    case 'message':
      return messageEvent(event, channelId, time, self);
    case 'reaction_added':
    case 'reaction_removed':
      return reactionEvent(event, event.type, time, self);
    case 'channel_rename':
    case 'group_rename': {
      const name = typeof event.channel === 'object' ? event.channel.name : undefined;
      if (name === undefined) return undefined;
      const eventId = `renamed:${channelId}:${time.getTime()}`;
      return { kind: 'channel_renamed', eventId, time, channelId, name: inertName(name) };
    }
    case 'channel_left':
    case 'group_left':
    case 'channel_archive':
    case 'group_archive':
    case 'channel_deleted':
    case 'group_deleted': {
      const eventId = `left:${channelId}:${time.getTime()}`;
      return { kind: 'channel_left', eventId, time, channelId };
    }
    case 'app_uninstalled':
      return { kind: 'revoked', eventId: `revoked:${time.getTime()}`, time };
    case 'tokens_revoked':
      // People's own tokens are revoked under the same name.
      return (event.tokens?.bot ?? []).length > 0
        ? { kind: 'revoked', eventId: `revoked:${time.getTime()}`, time }
        : undefined;
    default:
      return undefined;
  }
}

/** Slack says it in the channel. */
const CONVERSIONS = new Set<string | undefined>([
  'channel_convert_to_private',
  'channel_convert_to_public',
]);

function messageEvent(
  event: SlackEvent,
  channelId: string,
  time: Date,
  self: SlackSelf,
): ChatEvent | undefined {
  if (channelId === '') return undefined;
  if (CONVERSIONS.has(event.subtype)) {
    const eventId = `converted:${channelId}:${time.getTime()}`;
    return { kind: 'channel_converted', eventId, time, channelId };
  }
  const changed = event.subtype === 'message_changed' ? event.message : undefined;
  const deletedTs =
    event.subtype === 'message_deleted'
      ? event.deleted_ts
      : changed?.subtype === 'tombstone'
        ? changed.ts
        : undefined;
  if (deletedTs !== undefined) {
    return deletedMessage(channelId, deletedTs, time, event.previous_message?.thread_ts);
  }
  const message = readSlackMessage(changed ?? event, channelId, self);
  if (!message) return undefined;
  return {
    kind: 'message',
    eventId: messageEventId(message.id, channelId, message.editedAt),
    time,
    channelId,
    message,
  };
}

export function messageEventId(id: string, channelId: string, editedAt?: Date): string {
  return `message:${channelId}:${id}:${editedAt?.getTime() ?? ''}`;
}

export function deletedMessage(
  channelId: string,
  messageId: string,
  time: Date,
  threadTs?: string,
): ChatEvent {
  return {
    kind: 'message_deleted',
    eventId: `deleted:${channelId}:${messageId}`,
    time,
    channelId,
    messageId,
    ...(threadTs && threadTs !== messageId && { threadId: threadTs }),
  };
}

function reactionEvent(
  event: SlackEvent,
  kind: 'reaction_added' | 'reaction_removed',
  time: Date,
  self: SlackSelf,
): ChatEvent | undefined {
  const emoji = emojiOf(event.reaction ?? '');
  const { item, user: userId } = event;
  if (emoji === undefined || item?.type !== 'message' || !item.channel || !item.ts || !userId) {
    return undefined;
  }
  return {
    kind,
    eventId: `${kind}:${item.channel}:${item.ts}:${userId}:${event.reaction}:${event.event_ts ?? ''}`,
    time,
    channelId: item.channel,
    messageId: item.ts,
    userId,
    emoji,
    isOwn: isOwn({ user: userId }, self),
  };
}
