import { once } from '../../../core/once.ts';
import { cutText } from '../cut-text.ts';
import { downloadFrom } from '../download.ts';
import { slackName } from '../emoji.ts';
import type { ChatGuard } from '../guard.ts';
import { inertName } from '../inert-name.ts';
import { signedName } from '../signed-name.ts';
import {
  ChatFailure,
  type ChatChannel,
  type ChatProvider,
  type ChatSettings,
  type OutgoingMessage,
  type OwnPlace,
} from '../provider.ts';
import { createSlackCall, type SlackCall } from './slack-call.ts';
import { isOfSlack, slackThreadFiles, uploadToSlack } from './slack-files.ts';
import { fetchSlackSince } from './slack-history.ts';
import { listenToSlack } from './slack-listen.ts';
import { METADATA_TYPE, ownIdOf, type SlackMessage, type SlackSelf } from './slack-message.ts';
import { toMrkdwn } from './to-mrkdwn.ts';

/** Slack shows a longer text as several messages, and refuses to edit it. */
const MOST_CHARACTERS = 4000;
const CLOCKS_APART_MS = 5 * 60_000;
const MOST_SEARCHED_PAGES = 10;

export function openSlack(settings: ChatSettings, guard: ChatGuard): ChatProvider {
  const call = createSlackCall(settings.botToken, guard);
  const whoAmI = once(async (signal?: AbortSignal): Promise<SlackSelf> => {
    const auth = await call((client) => client.auth.test(), signal);
    return {
      userIds: [auth.user_id ?? ''],
      ...(auth.team_id !== undefined && { teamId: auth.team_id }),
      ...(auth.bot_id !== undefined && { botId: auth.bot_id }),
    };
  });

  return {
    async check(signal) {
      const auth = await call((client) => client.auth.test(), signal);
      if (auth.bot_id === undefined) {
        throw new ChatFailure('unauthorized', 'this is not a bot token: it must start with xoxb-');
      }
      return {
        workspaceId: auth.team_id ?? '',
        workspaceName: inertName(auth.team ?? ''),
        botId: auth.user_id ?? '',
        botName: inertName(auth.user ?? ''),
      };
    },
    async listChannels(query, cursor, signal) {
      const read = await call(
        (client) =>
          client.conversations.list({
            types: 'public_channel,private_channel',
            exclude_archived: true,
            limit: 1000,
            ...(cursor !== undefined && { cursor }),
          }),
        signal,
      );
      const wanted = query.trim().replace(/^#/, '').toLowerCase();
      const next = read.response_metadata?.next_cursor || undefined;
      return {
        channels: (read.channels ?? [])
          .map(channelOf)
          .filter(({ name }) => name.toLowerCase().includes(wanted)),
        ...(next !== undefined && { cursor: next }),
      };
    },
    async getChannel(channelId, signal) {
      const info = { channel: channelId };
      const { channel } = await call((client) => client.conversations.info(info), signal);
      if (!channel || channel.is_im || channel.is_mpim) {
        throw new ChatFailure('not_found', 'this is not a channel');
      }
      return channelOf(channel);
    },
    async getUser(userId, signal) {
      const { teamId } = await whoAmI(signal);
      const { user = {} } = await call((client) => client.users.info({ user: userId }), signal);
      const { profile = {} } = user;
      const names = [profile.display_name, profile.real_name, user.real_name, user.name, userId];
      return {
        id: userId,
        name: names.map((name) => inertName(name ?? '')).find((name) => name !== '') ?? '',
        ...(profile.email !== undefined && { email: profile.email }),
        isEmailVerified: user.is_email_confirmed === true,
        isFromElsewhere: !isOfTeam(user, teamId),
        isBot: user.is_bot === true || userId === 'USLACKBOT',
      };
    },
    async post(message, signal) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a call of Slack's, not a window
      const { ts } = await call((client) => client.chat.postMessage(newMessage(message)), signal);
      if (ts === undefined) throw new ChatFailure('temporary', 'Slack did not name the message');
      return ts;
    },
    upload: (_channelId, file, signal) => uploadToSlack(call, guard, file, signal),
    threadFiles: slackThreadFiles(call),
    findOwn: (place, signal) => findOwn(call, place, signal),
    async edit(messageId, message, signal) {
      const { channelId: channel, ownId } = message;
      const changed = { channel, ts: messageId, text: slackText(message), ...withOwnId(ownId) };
      await call((client) => client.chat.update(changed), signal);
    },
    async delete(channelId, messageId, signal) {
      const target = { channel: channelId, ts: messageId };
      await call((client) => client.chat.delete(target), signal).catch(unless('message_not_found'));
    },
    async react(channelId, messageId, emoji, signal) {
      const reaction = reactionOf(channelId, messageId, emoji);
      if (!reaction) return;
      await call((client) => client.reactions.add(reaction), signal).catch(
        unless('already_reacted'),
      );
    },
    async unreact(channelId, messageId, emoji, signal) {
      const reaction = reactionOf(channelId, messageId, emoji);
      if (!reaction) return;
      await call((client) => client.reactions.remove(reaction), signal).catch(
        unless('no_reaction'),
      );
    },
    async *fetchSince(channelId, since, options) {
      const me = await whoAmI(options.signal);
      yield* fetchSlackSince({ call, self: me, channelId, options }, since);
    },
    async download(file, signal) {
      if (!isOfSlack(file.source, guard)) {
        throw new ChatFailure('forbidden', 'Slack names a file that is somewhere else');
      }
      return downloadFrom(file.source, settings.botToken, guard, file, signal);
    },
    async listen(signal) {
      const { appToken } = settings;
      if (appToken === undefined) {
        throw new ChatFailure('unauthorized', 'there is no app token for Socket Mode');
      }
      return await listenToSlack(appToken, guard, signal);
    },
  };
}

/**
 * Slack Connect shows people of other workspaces in our channels. In Enterprise Grid one person is in several
 * workspaces, and `team_id` names only one of them.
 */
function isOfTeam(
  user: { team_id?: string; is_stranger?: boolean; enterprise_user?: { teams?: string[] } },
  teamId: string | undefined,
): boolean {
  if (teamId === undefined || user.is_stranger === true) return false;
  return user.team_id === teamId || (user.enterprise_user?.teams ?? []).includes(teamId);
}

function channelOf(from: {
  id?: string;
  name?: string;
  is_private?: boolean;
  is_member?: boolean;
  is_archived?: boolean;
}): ChatChannel {
  return {
    id: from.id ?? '',
    name: inertName(from.name ?? ''),
    isPrivate: from.is_private !== false,
    isMember: from.is_member === true,
    isArchived: from.is_archived === true,
  };
}

function newMessage(message: OutgoingMessage) {
  const { channelId: channel, threadId, authorName, ownId } = message;
  return {
    channel,
    text: slackText(message),
    ...(threadId !== undefined && { thread_ts: threadId }),
    username: signedName(authorName),
    // Previews would come back as edits.
    unfurl_links: false,
    unfurl_media: false,
    ...withOwnId(ownId),
  };
}

function withOwnId(ownId: string) {
  return {
    metadata: { event_type: METADATA_TYPE, event_payload: { id: ownId } },
    // Otherwise `@here` would notify people.
    link_names: false,
  };
}

/** Escaping makes a text longer, so the cut may have to be earlier than the limit. */
function slackText({ text, mentions, link }: OutgoingMessage): string {
  const note = link === undefined ? '…' : `… [Read the whole message](${link})`;
  for (let most = MOST_CHARACTERS; ; most = Math.floor(most * 0.7)) {
    const shown = toMrkdwn(cutText(text, most, note), mentions);
    // Slack refuses a message without text.
    if (shown.length <= MOST_CHARACTERS) return shown.trim() === '' ? '\u200B' : shown;
  }
}

async function findOwn(
  call: SlackCall,
  { channelId: channel, threadId, ownId, since }: OwnPlace,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const oldest = String((since.getTime() - CLOCKS_APART_MS) / 1000);
  let cursor: string | undefined;
  for (let page = 0; page < MOST_SEARCHED_PAGES; page++) {
    const range = {
      channel,
      oldest,
      limit: 200,
      include_all_metadata: true,
      ...(cursor !== undefined && { cursor }),
    };
    const read = await call(
      (client) =>
        threadId === undefined
          ? client.conversations.history(range)
          : client.conversations.replies({ ...range, ts: threadId }),
      signal,
    );
    const messages = (read.messages ?? []) as SlackMessage[];
    const found = messages.find((message) => ownIdOf(message) === ownId);
    if (found) return found.ts;
    cursor = read.has_more ? read.response_metadata?.next_cursor || undefined : undefined;
    if (cursor === undefined) return undefined;
  }
  throw new ChatFailure('temporary', 'too many messages to look through');
}

function reactionOf(channel: string, timestamp: string, emoji: string) {
  const name = slackName(emoji);
  return name === undefined ? undefined : { channel, timestamp, name };
}

/** The failure with this name of Slack's means that there is nothing to do. */
function unless(name: string): (error: unknown) => void {
  return (error) => {
    if (error instanceof ChatFailure && error.message.endsWith(`(${name})`)) return;
    throw error;
  };
}
