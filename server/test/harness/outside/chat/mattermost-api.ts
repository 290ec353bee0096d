import type { IncomingMessage } from 'node:http';
import {
  toRecord,
  type MattermostChannel,
  type MattermostPost,
  type MattermostUser,
  type MattermostWorld,
} from './mattermost-world.ts';

export interface MattermostState {
  world: MattermostWorld;
  bot: MattermostUser;
  config: Record<string, string>;
  isAllowed: (token: string | undefined) => boolean;
}

type Answer = { status: number; json: unknown } | { status: number; bytes: Uint8Array };

const MOST_CHANGES = 1000;
const MOST_FILES = 10;
const MOST_CHARACTERS = 16_383;

/** One request of the REST API. */
export function answerMattermost(
  state: MattermostState,
  bytes: Buffer,
  { method = '', url = '', headers }: IncomingMessage,
): Answer {
  const { pathname, searchParams } = new URL(url, 'https://localhost');
  const token = headers.authorization?.replace(/^Bearer /i, '');
  if (!state.isAllowed(token)) return failure(401, 'api.context.session_expired.app_error');
  const isJson = bytes.length > 0 && headers['content-type'] === 'application/json';
  const body = (isJson ? JSON.parse(bytes.toString()) : {}) as Record<string, unknown>;
  const path = pathname.replace(/^\/api\/v4/, '');
  for (const [pattern, answer] of ROUTES) {
    const [verb, template = ''] = pattern.split(' ');
    const found = verb === method && match(template, path);
    if (found) return answer({ ...state, body, bytes, query: searchParams, ids: found });
  }
  return failure(404, 'api.context.404.app_error');
}

interface Call extends MattermostState {
  body: Record<string, unknown>;
  bytes: Buffer;
  query: URLSearchParams;
  ids: string[];
}

const ROUTES: [string, (call: Call) => Answer][] = [
  ['GET /users/me', ({ bot }) => ok(bot)],
  ['GET /config/client', ({ config }) => ok(config)],
  ['GET /users/me/teams', ({ world }) => ok([{ id: world.teamId, name: 'acme' }])],
  [
    'GET /users/me/channels',
    ({ world, bot }) => ok(channelsOf(world, ({ members }) => members.has(bot.id))),
  ],
  ['GET /users/:', ({ world, ids: [id = ''] }) => found(world.users.get(id))],
  [
    'POST /users/ids',
    ({ world, body }) =>
      ok((body as unknown as string[]).flatMap((id) => world.users.get(id) ?? [])),
  ],
  ['POST /teams/:/channels/search', searchChannels],
  ['GET /channels/:', readChannel],
  ['GET /channels/:/members/me', readMembership],
  ['GET /channels/:/posts', listPosts],
  ['POST /posts', createPost],
  ['GET /posts/:', ({ world, ids: [id = ''] }) => found(recordOf(world.posts.get(id)))],
  ['GET /posts/:/thread', readThread],
  ['PUT /posts/:/patch', patchPost],
  ['DELETE /posts/:', deletePost],
  ['GET /files/:', readFile],
  ['POST /files', uploadFile],
  ['POST /reactions', addReaction],
  ['DELETE /users/me/posts/:/reactions/:', removeReaction],
];

function searchChannels({ world, body }: Call): Answer {
  const term = textOf(body['term']).toLowerCase();
  return ok(
    channelsOf(
      world,
      (each) => each.type === 'O' && each.display_name.toLowerCase().includes(term),
    ),
  );
}

function readChannel({ world, bot, ids: [id = ''] }: Call): Answer {
  const channel = world.channels.get(id);
  if (!channel) return failure(404, 'app.channel.get.existing.app_error');
  if (channel.type !== 'O' && !channel.members.has(bot.id)) return forbidden();
  return ok(shownChannel(channel));
}

function readMembership({ world, bot, ids: [id = ''] }: Call): Answer {
  const isMember = world.channels.get(id)?.members.has(bot.id);
  return isMember
    ? ok({ channel_id: id, user_id: bot.id })
    : failure(404, 'app.channel.get_member.missing.app_error');
}

function listPosts({ world, bot, query, ids: [id = ''] }: Call): Answer {
  const channel = world.channels.get(id);
  if (!channel?.members.has(bot.id)) return forbidden();
  const all = [...world.posts.values()].filter((post) => post.channel_id === id);
  const since = Number(query.get('since') ?? 0);
  if (since > 0) {
    const changed = all.filter((post) => post.update_at > since).slice(0, MOST_CHANGES);
    const roots = changed.flatMap((post) => world.posts.get(post.root_id) ?? []);
    const order = newestFirst([...new Set([...changed, ...roots])]);
    return ok(listOf(order, (post) => post.update_at > since));
  }
  const page = Number(query.get('page') ?? 0);
  const size = Number(query.get('per_page') ?? 60);
  const there = newestFirst(all.filter((post) => post.delete_at === 0));
  return ok(listOf(there.slice(page * size, (page + 1) * size)));
}

function createPost({ world, bot, body }: Call): Answer {
  const { channel_id: channelId, message, root_id: rootId = '', pending_post_id: pending } = body;
  const channel = world.channels.get(textOf(channelId));
  if (!channel?.members.has(bot.id)) return forbidden();
  if (channel.delete_at > 0)
    return failure(400, 'api.post.create_post.can_not_post_to_deleted.error');
  if (textOf(message).length > MOST_CHARACTERS)
    return failure(400, 'model.post.is_valid.message_length.app_error');
  const root = rootId === '' ? undefined : world.posts.get(textOf(rootId));
  if (rootId !== '' && (!root || root.delete_at > 0 || root.root_id !== '')) {
    return failure(400, 'api.post.create_post.root_id.app_error');
  }
  const fileIds = (body['file_ids'] ?? []) as string[];
  if (fileIds.length > MOST_FILES) return failure(400, 'model.post.is_valid.file_ids.app_error');
  const earlier = [...world.posts.values()].find(
    (post) => pending !== '' && post.pending_post_id === pending && post.original_id === '',
  );
  if (earlier) return { status: 201, json: toRecord(earlier) };
  const post = world.write(channel.id, bot.id, textOf(message), {
    rootId: textOf(rootId),
    props: (body['props'] ?? {}) as Record<string, unknown>,
    pendingPostId: textOf(pending),
    files: fileIds.flatMap((id) => world.uploads.get(id) ?? []),
  });
  return { status: 201, json: toRecord(post) };
}

function readThread({ world, ids: [id = ''] }: Call): Answer {
  const posts = [...world.posts.values()].filter(
    (post) => (post.id === id || post.root_id === id) && post.delete_at === 0,
  );
  return posts.length > 0 ? ok(listOf(newestFirst(posts))) : failure(404, 'app.post.get.app_error');
}

function patchPost({ world, bot, body, ids: [id = ''] }: Call): Answer {
  const post = world.posts.get(id);
  if (!post || post.delete_at > 0) return failure(404, 'app.post.get.app_error');
  if (post.user_id !== bot.id) return forbidden();
  const fileIds = body['file_ids'] as string[] | undefined;
  if (fileIds) post.files = post.files.filter((file) => fileIds.includes(file.id));
  const { message } = body;
  return ok(toRecord(message === undefined ? post : world.rewrite(id, textOf(message))));
}

function deletePost({ world, bot, ids: [id = ''] }: Call): Answer {
  const post = world.posts.get(id);
  if (!post || post.delete_at > 0) return failure(404, 'app.post.get.app_error');
  if (post.user_id !== bot.id) return forbidden();
  world.remove(id);
  return ok({ status: 'OK' });
}

function readFile({ world, ids: [id = ''] }: Call): Answer {
  const bytes = world.fileContents.get(id);
  return bytes ? { status: 200, bytes } : failure(404, 'app.file_info.get.app_error');
}

function uploadFile({ world, bot, config, bytes, query }: Call): Answer {
  if (!world.channels.get(query.get('channel_id') ?? '')?.members.has(bot.id)) return forbidden();
  if (bytes.length > Number(config['MaxFileSize'])) {
    return failure(413, 'api.file.upload_file.too_large_detailed.app_error');
  }
  const info = world.upload(query.get('filename') ?? '', bytes);
  return { status: 201, json: { file_infos: [info], client_ids: [] } };
}

function addReaction({ world, bot, body }: Call): Answer {
  const post = world.posts.get(textOf(body['post_id']));
  if (!post || post.delete_at > 0) return failure(404, 'app.post.get.app_error');
  if (body['user_id'] !== bot.id) return forbidden();
  world.react(post.id, bot.id, textOf(body['emoji_name']));
  return { status: 201, json: body };
}

function removeReaction({ world, bot, ids: [postId = '', name = ''] }: Call): Answer {
  const post = world.posts.get(postId);
  if (!post || post.delete_at > 0) return failure(404, 'app.post.get.app_error');
  world.unreact(postId, bot.id, name);
  return ok({ status: 'OK' });
}

function channelsOf(world: MattermostWorld, isWanted: (channel: MattermostChannel) => boolean) {
  return [...world.channels.values()].filter(isWanted).map(shownChannel);
}

function shownChannel({ members: _members, ...channel }: MattermostChannel) {
  return channel;
}

function listOf(
  posts: MattermostPost[],
  isOrdered: (post: MattermostPost) => boolean = () => true,
) {
  return {
    order: posts.filter(isOrdered).map(({ id }) => id),
    posts: Object.fromEntries(posts.map((post) => [post.id, toRecord(post)])),
    next_post_id: '',
    prev_post_id: '',
  };
}

function newestFirst(posts: MattermostPost[]): MattermostPost[] {
  return posts.toSorted((one, other) => other.create_at - one.create_at);
}

function recordOf(post: MattermostPost | undefined) {
  return post && toRecord(post);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The parts of the path where the template has a colon. */
function match(template: string, path: string): string[] | undefined {
  const pattern = new RegExp(`^${template.replaceAll(':', '([^/]+)')}$`);
  return pattern.exec(path)?.slice(1).map(decodeURIComponent);
}

function ok(json: unknown): Answer {
  return { status: 200, json };
}

function found(json: unknown): Answer {
  return json === undefined ? failure(404, 'app.user.missing_account.const') : ok(json);
}

function forbidden(): Answer {
  return failure(403, 'api.context.permissions.app_error');
}

function failure(status: number, id: string): Answer {
  return { status, json: { id, message: 'No', request_id: 'r1', status_code: status } };
}
