import { once } from '../../../core/once.ts';
import { cutText } from '../cut-text.ts';
import { downloadFrom } from '../download.ts';
import { mattermostName } from '../emoji.ts';
import type { ChatGuard } from '../guard.ts';
import { inertName } from '../inert-name.ts';
import {
  ChatFailure,
  isChatFailure,
  type ChatChannel,
  type ChatProvider,
  type ChatSettings,
  type OutgoingMessage,
  type OwnPlace,
} from '../provider.ts';
import { createMattermostCall, type MattermostCall } from './mattermost-call.ts';
import { uploadToMattermost } from './mattermost-files.ts';
import { fetchMattermostSince, readChanges, readPosts } from './mattermost-history.ts';
import { listenToMattermost } from './mattermost-listen.ts';
import { OWN_ID, type MattermostPost, type MattermostSelf } from './mattermost-post.ts';
import { toMattermost, withAuthor } from './mattermost-text.ts';

/** The largest post that Mattermost stores. */
const MOST_CHARACTERS = 16_383;
const CLOCKS_APART_MS = 5 * 60_000;

interface MattermostUser {
  id: string;
  username: string;
  nickname?: string;
  first_name?: string;
  last_name?: string;
  email?: string;
  is_bot?: boolean;
  /** Set for people of another server that shares a channel with this one. */
  remote_id?: string;
}

interface MattermostChannel {
  id: string;
  display_name: string;
  name: string;
  type: string;
  delete_at: number;
}

type ClientConfig = Record<string, string | undefined>;

export function openMattermost(settings: ChatSettings, guard: ChatGuard): ChatProvider {
  const baseUrl = (settings.serverUrl ?? '').replace(/\/+$/, '');
  const call = createMattermostCall(baseUrl, settings.botToken, guard);
  const readMe = once((signal?: AbortSignal) =>
    call<MattermostUser>('GET', '/users/me', { signal }),
  );
  const readConfig = (signal?: AbortSignal) =>
    call<ClientConfig>('GET', '/config/client?format=old', { signal });
  const whoAmI = async (signal?: AbortSignal): Promise<MattermostSelf> => {
    const { id, username } = await readMe(signal);
    return { id, username, baseUrl };
  };

  return {
    async check(signal) {
      const me = await readMe(signal);
      const config = await readConfig(signal);
      if (typeof me.username !== 'string' || config['Version'] === undefined) {
        throw new ChatFailure('wrong_server', 'this is not a Mattermost server');
      }
      if (me.is_bot !== true) {
        throw new ChatFailure(
          'unauthorized',
          'the token belongs to a person, not to a bot account',
        );
      }
      return {
        workspaceId: config['DiagnosticId'] || baseUrl,
        workspaceName: inertName(config['SiteName'] ?? '') || new URL(baseUrl).host,
        botId: me.id,
        botName: me.username,
      };
    },
    listChannels: async (query, _cursor, signal) => ({
      channels: await listChannels(call, query, signal),
    }),
    async getChannel(channelId, signal) {
      const path = `/channels/${encodeURIComponent(channelId)}`;
      const channel = await call<MattermostChannel>('GET', path, { signal }).catch(asNotInChannel);
      if (!isChannel(channel)) throw new ChatFailure('not_found', 'this is not a channel');
      const isMember = await call('GET', `${path}/members/me`, { signal }).then(
        () => true,
        (error: unknown) => {
          if (isChatFailure(error, 'not_found', 'forbidden')) return false;
          throw error;
        },
      );
      return channelOf(channel, isMember);
    },
    async getUser(userId, signal) {
      const path = `/users/${encodeURIComponent(userId)}`;
      const user = await call<MattermostUser>('GET', path, { signal });
      // After the person: an address that was changed since the setting was is not taken for verified.
      const isVerifying = await verifiesEmails(() => readConfig(signal));
      const { nickname = '', first_name: first = '', last_name: last = '', email } = user;
      const names = [nickname, `${first} ${last}`, user.username];
      return {
        id: user.id,
        name: names.map((name) => inertName(name)).find((name) => name !== '') ?? '',
        ...(email && { email }),
        isEmailVerified: isVerifying === true,
        isFromElsewhere: Boolean(user.remote_id),
        isBot: user.is_bot === true,
        ...(isVerifying === undefined && { isInDoubt: true }),
      };
    },
    async post(message, signal) {
      const { channelId, threadId, ownId, fileIds = [] } = message;
      const body = {
        channel_id: channelId,
        message: await postText(call, message, signal),
        root_id: threadId ?? '',
        // Mattermost remembers it for half a minute, and then answers with the same post.
        pending_post_id: `atrium:${ownId}`,
        props: { [OWN_ID]: ownId },
        ...(fileIds.length > 0 && { file_ids: fileIds }),
      };
      const { id } = await call<MattermostPost>('POST', '/posts', { body, signal }).catch(
        asNotInChannel,
      );
      return id;
    },
    upload: async (channelId, file, signal) =>
      uploadToMattermost(
        { baseUrl, token: settings.botToken, guard, config: await readConfig(signal) },
        channelId,
        file,
        signal,
      ),
    async keepFiles(messageId, fileIds, signal) {
      const path = `/posts/${encodeURIComponent(messageId)}/patch`;
      await call('PUT', path, { body: { file_ids: fileIds }, signal }).catch(unlessFixed);
    },
    findOwn: (place, signal) => findOwn(call, place, signal),
    async edit(messageId, message, signal) {
      const body = { message: await postText(call, message, signal) };
      await call('PUT', `/posts/${encodeURIComponent(messageId)}/patch`, { body, signal });
    },
    async delete(_channelId, messageId, signal) {
      const path = `/posts/${encodeURIComponent(messageId)}`;
      await call('DELETE', path, { signal }).catch(unlessGone);
    },
    async react(_channelId, messageId, emoji, signal) {
      const name = mattermostName(emoji);
      if (name === undefined) return;
      const { id } = await whoAmI(signal);
      const body = { user_id: id, post_id: messageId, emoji_name: name };
      await call('POST', '/reactions', { body, signal });
    },
    async unreact(_channelId, messageId, emoji, signal) {
      const name = mattermostName(emoji);
      if (name === undefined) return;
      const path = `/users/me/posts/${encodeURIComponent(messageId)}/reactions/${name}`;
      await call('DELETE', path, { signal }).catch(unlessGone);
    },
    async *fetchSince(channelId, since, options) {
      const self = await whoAmI(options.signal);
      yield* fetchMattermostSince({ call, channelId }, self, since, options);
    },
    async download(file, signal) {
      return downloadFrom(file.source, settings.botToken, guard, file, signal);
    },
    async listen(signal) {
      // Asked again each time: the WebSocket doesn't say that the token no longer works.
      const { id, username } = await call<MattermostUser>('GET', '/users/me', { signal });
      const self = { id, username, baseUrl };
      return await listenToMattermost(self, settings.botToken, guard, signal);
    },
  };
}

/** Those the bot is in, and public ones that somebody could add it to. */
async function listChannels(
  call: MattermostCall,
  query: string,
  signal?: AbortSignal,
): Promise<ChatChannel[]> {
  const term = query.trim().replace(/^[#~]/, '').toLowerCase();
  const own = await call<MattermostChannel[]>('GET', '/users/me/channels', { signal });
  const joined = own.filter(isChannel);
  const found = new Map(joined.map((channel) => [channel.id, channelOf(channel, true)]));
  const teams = await call<{ id: string }[]>('GET', '/users/me/teams', { signal });
  for (const { id } of teams) {
    const path = `/teams/${encodeURIComponent(id)}/channels/search`;
    const others = await call<MattermostChannel[]>('POST', path, { body: { term }, signal });
    for (const channel of others) {
      if (!found.has(channel.id)) found.set(channel.id, channelOf(channel, false));
    }
  }
  return [...found.values()].filter(
    ({ name, isArchived }) => !isArchived && name.toLowerCase().includes(term),
  );
}

/** Conversations between people are channels too, of other types. */
function isChannel({ type }: MattermostChannel): boolean {
  return type === 'O' || type === 'P';
}

/**
 * Whether nobody can sign in there with an address that they did not confirm. An administrator can change it at
 * any time. Undefined if the server doesn't say.
 */
async function verifiesEmails(read: () => Promise<ClientConfig>): Promise<boolean | undefined> {
  try {
    return (await read())['RequireEmailVerification'] === 'true';
  } catch (error) {
    const isSaid = isChatFailure(error, 'rate_limited', 'unauthorized');
    if (!(error instanceof ChatFailure) || isSaid) throw error;
    return undefined;
  }
}

function channelOf(from: MattermostChannel, isMember: boolean): ChatChannel {
  return {
    id: from.id,
    name: inertName(from.display_name) || inertName(from.name),
    isPrivate: from.type !== 'O',
    isMember,
    isArchived: from.delete_at > 0,
  };
}

async function postText(
  call: MattermostCall,
  { text, authorName, mentions = new Map(), link }: OutgoingMessage,
  signal?: AbortSignal,
): Promise<string> {
  const usernames = new Map<string, string>();
  if (mentions.size > 0) {
    const body = [...new Set(mentions.values())];
    const users = await call<MattermostUser[]>('POST', '/users/ids', { body, signal });
    const byId = new Map(users.map(({ id, username }) => [id, username]));
    for (const [handle, userId] of mentions) {
      const username = byId.get(userId);
      if (username !== undefined) usernames.set(handle, username);
    }
  }
  const shown = withAuthor(authorName, toMattermost(text, usernames));
  return cutText(shown, MOST_CHARACTERS, link ? `… [Read the whole message](${link})` : '…');
}

async function findOwn(
  call: MattermostCall,
  { channelId, ownId, since }: OwnPlace,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const sinceMs = since.getTime() - CLOCKS_APART_MS;
  const isIt = ({ props, original_id: original }: MattermostPost) =>
    !original && props?.[OWN_ID] === ownId;
  const history = { call, channelId, signal };
  const { posts, isWhole } = await readChanges(history, sinceMs);
  const found = posts.find(isIt);
  if (found || isWhole) return found?.id;
  for await (const page of readPosts(history, sinceMs)) {
    const listed = page.find(isIt);
    if (listed) return listed.id;
  }
  return undefined;
}

/** Mattermost denies what is in a channel to those who are not in it. */
function asNotInChannel(error: unknown): never {
  if (isChatFailure(error, 'forbidden')) {
    throw new ChatFailure('not_in_channel', 'the bot is not in this channel');
  }
  throw error;
}

function unlessGone(error: unknown): void {
  if (!isChatFailure(error, 'not_found')) throw error;
}

/** A server may allow edits for some time only. */
function unlessFixed(error: unknown): void {
  if (!isChatFailure(error, 'not_found', 'rejected', 'forbidden')) throw error;
}
