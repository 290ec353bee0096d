import { patiently } from '../patient-call.ts';
import type { ChatEvent, ChatPage, FetchOptions } from '../provider.ts';
import type { MattermostCall } from './mattermost-call.ts';
import {
  deletedPost,
  listedPostEvent,
  type MattermostPost,
  type MattermostSelf,
} from './mattermost-post.ts';

/** A post's time is taken before it is committed, so one can appear behind others. */
const OVERLAP_MS = 60_000;
/** Mattermost lists this many changes, and doesn't say which ones it left out. */
const MOST_CHANGES = 1000;
const PAGE_SIZE = 200;
const MOST_PAGES = 500;

interface PostList {
  order?: string[];
  posts?: Record<string, MattermostPost>;
}

interface History {
  call: MattermostCall;
  channelId: string;
  signal?: AbortSignal | undefined;
}

/** Posts that were written, edited, deleted or reacted to since then. With `isWhole` false, only some of them. */
export async function readChanges(
  { call, channelId, signal }: History,
  sinceMs: number,
): Promise<{ posts: MattermostPost[]; isWhole: boolean }> {
  const path = `/channels/${encodeURIComponent(channelId)}/posts?since=${Math.max(sinceMs, 1)}`;
  const posts = listed(await call<PostList>('GET', path, { signal }));
  return { posts, isWhole: posts.length < MOST_CHANGES };
}

/** Posts that were written since then and are still there, newest first. */
export async function* readPosts(
  { call, channelId, signal }: History,
  sinceMs: number,
): AsyncGenerator<MattermostPost[], void> {
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `page=${page}&per_page=${PAGE_SIZE}`;
    const path = `/channels/${encodeURIComponent(channelId)}/posts?${query}`;
    const posts = listed(await call<PostList>('GET', path, { signal }));
    const wanted = posts.filter(({ create_at: at }) => at >= sinceMs);
    yield wanted;
    if (posts.length < PAGE_SIZE || wanted.length < posts.length) return;
  }
}

export async function* fetchMattermostSince(
  { call, channelId }: { call: MattermostCall; channelId: string },
  self: MattermostSelf,
  since: Date,
  { signal, known }: FetchOptions,
): AsyncGenerator<ChatPage, void> {
  const sinceMs = since.getTime() - OVERLAP_MS;
  const history: History = {
    channelId,
    signal,
    call: (method, path, options) => patiently(signal, () => call(method, path, options)),
  };
  // Asked for before Mattermost is: what arrives meanwhile must not look deleted.
  const knownSince = await known(new Date(sinceMs), new Date());
  const { posts: changes, isWhole } = await readChanges(history, sinceMs);
  const posts = new Map(changes.map((post) => [post.id, post]));
  const gone: ChatEvent[] = [];
  if (!isWhole) {
    for await (const page of readPosts(history, sinceMs)) {
      for (const post of page) posts.set(post.id, post);
    }
    for (const { id, threadId } of knownSince) {
      if (!posts.has(id)) gone.push(deletedPost(channelId, id, new Date(), threadId));
    }
  }
  const events = [...posts.values()]
    .toSorted((one, other) => one.create_at - other.create_at)
    .flatMap((post) => listedPostEvent(post, self) ?? []);
  const latest = Math.max(since.getTime(), ...changes.map(({ update_at: at }) => at));
  yield { events: [...events, ...gone], place: new Date(latest) };
}

/** `posts` also has the first messages of threads, which need not have changed. */
function listed({ order = [], posts = {} }: PostList): MattermostPost[] {
  return order.flatMap((id) => posts[id] ?? []);
}
