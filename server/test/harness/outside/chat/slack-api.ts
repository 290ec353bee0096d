import type { SlackUploads } from './slack-uploads.ts';
import {
  APP_ID,
  BOT_ID,
  BOT_USER_ID,
  TEAM_ID,
  type SlackChannel,
  type SlackMessage,
  type SlackWorld,
} from './slack-world.ts';

export interface SlackState {
  world: SlackWorld;
  uploads: SlackUploads;
  isBotToken: (token: string | undefined) => boolean;
  isAppToken: (token: string | undefined) => boolean;
  revokedError: string;
  socketUrl: () => string;
}

type Arguments = Record<string, string | undefined>;

/** One call of the Web API. Refusals are an `ok` of false, with status 200. */
export function answerSlack(
  state: SlackState,
  method: string,
  body: string,
  token: string | undefined,
): object {
  if (method === 'apps.connections.open') {
    return state.isAppToken(token) ? { ok: true, url: state.socketUrl() } : no(state.revokedError);
  }
  if (!state.isBotToken(token)) return no(state.revokedError);
  const answer = METHODS[method];
  if (!answer) return no('unknown_method');
  const given = Object.fromEntries(new URLSearchParams(body));
  return answer(state.world, given, state.uploads);
}

type Method = (world: SlackWorld, given: Arguments, uploads: SlackUploads) => object;

const METHODS: Record<string, Method> = {
  'auth.test': () => ({
    ok: true,
    url: 'https://acme.slack.com/',
    team: 'Acme',
    team_id: TEAM_ID,
    user: 'atrium',
    user_id: BOT_USER_ID,
    bot_id: BOT_ID,
  }),
  'users.info': ({ users }, { user = '' }) => {
    const found = users.get(user);
    return found ? { ok: true, user: found } : no('user_not_found');
  },
  'conversations.list': ({ channels }, { limit, cursor, exclude_archived: noArchived }) => {
    const all = [...channels.values()].filter(
      (each) =>
        (!each.is_private || each.members.has(BOT_USER_ID)) &&
        !(noArchived === 'true' && each.is_archived),
    );
    return paged(all.map(shownChannel), 'channels', limit, cursor);
  },
  'conversations.info': ({ channels }, { channel = '' }) => {
    const found = channels.get(channel);
    const isSeen = found && (!found.is_private || found.members.has(BOT_USER_ID));
    return isSeen ? { ok: true, channel: shownChannel(found) } : no('channel_not_found');
  },
  'conversations.history': (world, given) =>
    inChannel(world, given, (channelId) => {
      const roots = world.messages
        .get(channelId)
        ?.filter(
          ({ ts, thread_ts: root, subtype }) =>
            !root || root === ts || subtype === 'thread_broadcast',
        )
        .filter(isBetween(given))
        .map((message) => withThread(world, channelId, message, given))
        .toReversed();
      return paged(roots ?? [], 'messages', given['limit'], given['cursor']);
    }),
  'conversations.replies': (world, given) =>
    inChannel(world, given, (channelId) => {
      const { ts: root = '' } = given;
      if (!world.find(channelId, root)) return no('thread_not_found');
      const thread = world.messages
        .get(channelId)
        ?.filter(({ ts, thread_ts: own }) => ts === root || own === root)
        // The first message comes with every page.
        .filter((message) => message.ts === root || isBetween(given)(message))
        .map((message) => withThread(world, channelId, message, given));
      return paged(thread ?? [], 'messages', given['limit'], given['cursor']);
    }),
  'chat.postMessage': (world, given) =>
    inChannel(world, given, (channelId) => {
      const { text = '', thread_ts: root, username, metadata } = given;
      if (text === '') return no('no_text');
      if (root !== undefined && !world.find(channelId, root)) return no('thread_not_found');
      const message = world.write(channelId, BOT_USER_ID, text, {
        bot_id: BOT_ID,
        app_id: APP_ID,
        ...(username !== undefined && { username, subtype: 'bot_message' }),
        ...(root !== undefined && { thread_ts: root }),
        ...(metadata !== undefined && { metadata: JSON.parse(metadata) as object }),
      });
      return { ok: true, channel: channelId, ts: message.ts, message };
    }),
  'chat.update': (world, given) =>
    ofOurs(world, given, (channelId, { ts }) => {
      const { text = '' } = given;
      if (text.length > 4000) return no('msg_too_long');
      world.rewrite(channelId, ts, text, BOT_USER_ID);
      return { ok: true, channel: channelId, ts, text };
    }),
  'chat.delete': (world, given) =>
    ofOurs(world, given, (channelId, { ts }) => {
      world.remove(channelId, ts);
      return { ok: true, channel: channelId, ts };
    }),
  'files.getUploadURLExternal': (_world, { filename = '', length = '0' }, uploads) => ({
    ok: true,
    ...uploads.begin(filename, Number(length)),
  }),
  'files.completeUploadExternal': (world, given, uploads) => {
    const { channel_id: channel = '', thread_ts: root, files = '[]' } = given;
    return inChannel(world, { channel }, (channelId) => {
      if (root !== undefined && !world.find(channelId, root)) return no('thread_not_found');
      const ids = (JSON.parse(files) as { id: string }[]).map(({ id }) => id);
      const shown = uploads.share(channelId, ids, root);
      return shown ? { ok: true, files: shown } : no('file_not_found');
    });
  },
  'files.info': (_world, { file: id = '' }, uploads) => {
    const file = uploads.find(id);
    return file ? { ok: true, file } : no('file_not_found');
  },
  'files.delete': (_world, { file: id = '' }, uploads) =>
    uploads.remove(id) ? { ok: true } : no('file_not_found'),
  'reactions.add': (world, given) => reaction(world, given, 'react', 'already_reacted'),
  'reactions.remove': (world, given) => reaction(world, given, 'unreact', 'no_reaction'),
};

function inChannel(
  { channels }: SlackWorld,
  { channel = '' }: Arguments,
  answer: (channelId: string) => object,
): object {
  const found = channels.get(channel);
  if (!found) return no('channel_not_found');
  const isMember = found.members.has(BOT_USER_ID);
  if (!isMember) return no(found.is_private ? 'channel_not_found' : 'not_in_channel');
  return found.is_archived ? no('is_archived') : answer(channel);
}

function ofOurs(
  world: SlackWorld,
  given: Arguments,
  answer: (channelId: string, message: SlackMessage) => object,
): object {
  return inChannel(world, given, (channelId) => {
    const message = world.find(channelId, given['ts'] ?? '');
    if (!message || message.subtype === 'tombstone') return no('message_not_found');
    return message.bot_id === BOT_ID ? answer(channelId, message) : no('cant_update_message');
  });
}

function reaction(world: SlackWorld, given: Arguments, act: 'react' | 'unreact', refusal: string) {
  return inChannel(world, given, (channelId) => {
    const { timestamp = '', name = '' } = given;
    if (!world.find(channelId, timestamp)) return no('message_not_found');
    const isDone = world[act](channelId, timestamp, BOT_USER_ID, name);
    return isDone ? { ok: true } : no(refusal);
  });
}

function isBetween({ oldest = '0', latest = 'Infinity', inclusive }: Arguments) {
  return ({ ts }: SlackMessage) => {
    const at = Number(ts);
    const isEdge = ts === oldest || ts === latest;
    return isEdge ? inclusive === 'true' : at > Number(oldest) && at < Number(latest);
  };
}

function withThread(
  { messages }: SlackWorld,
  channelId: string,
  message: SlackMessage,
  { include_all_metadata: withMetadata }: Arguments,
) {
  const { metadata, reactions, ...rest } = message;
  const replies = (messages.get(channelId) ?? []).filter(
    ({ ts, thread_ts: root }) => root === message.ts && ts !== message.ts,
  );
  return {
    ...rest,
    ...(reactions.length > 0 && { reactions }),
    ...(withMetadata === 'true' && metadata && { metadata }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      latest_reply: replies.at(-1)?.ts,
    }),
  };
}

/** The cursor is the place in the list. */
function paged(all: object[], name: string, limit = '100', cursor = '0'): object {
  const start = Number(cursor || 0);
  const end = start + Number(limit);
  const next = end < all.length ? String(end) : '';
  return {
    ok: true,
    [name]: all.slice(start, end),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
}

function shownChannel({ members, ...channel }: SlackChannel) {
  return { ...channel, is_channel: true, is_member: members.has(BOT_USER_ID) };
}

function no(error: string): object {
  return { ok: false, error };
}
