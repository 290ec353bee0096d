import { ForbiddenError } from './errors.ts';
import { readTimeout, type RequestOptions } from './options.ts';
import { sleep } from './retry.ts';
import type { Transport } from './transport.ts';
import type { CreateMessage, McpServer, Message, Model, Session } from './types.ts';

export interface WaitOptions extends Omit<RequestOptions, 'timeout'> {
  /** Milliseconds to wait for the replies, once the message is posted. 130,000 where left out. */
  timeout?: number | undefined;
  /** Milliseconds before the second look; each pause is longer than the last, up to 5 seconds. */
  pollInterval?: number | undefined;
  /** How many replies to wait for, where you know better than the mentions tell. */
  replies?: number | undefined;
}

export interface PostedWithReplies {
  message: Message;
  /** The AGENT messages, in the order in which they came. */
  replies: Message[];
  /** False where the time was up before all of them were there. */
  isComplete: boolean;
}

interface Posting {
  slug: string;
  sessionId: string;
  params: CreateMessage;
}

const MESSAGES = '/spaces/{slug}/sessions/{sessionId}/messages';
/** The server gives a model 120 seconds, then lands a FAILED reply. */
const DEFAULT_TIMEOUT_MS = 130_000;
const MAX_POLL_MS = 5000;
/** So many mentions answer one message. */
const MOST_REPLIES = 5;

export async function postAndWait(
  api: Transport,
  { slug, sessionId, params }: Posting,
  { timeout = DEFAULT_TIMEOUT_MS, pollInterval = 500, replies, ...options }: WaitOptions = {},
): Promise<PostedWithReplies> {
  readTimeout(timeout);
  readTimeout(pollInterval);
  const message = await api.call<Message>('POST', MESSAGES, [slug, sessionId], params, options);
  const { idempotencyKey: _, signal, ...polling } = options;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.min(timeout, 2 ** 31 - 1));
  const stop = () => deadline.abort();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const until = { ...polling, signal: deadline.signal };
  let found: Message[] = [];
  try {
    const expected = replies ?? (await countAnswering(api, slug, message, until));
    for (
      let pause = pollInterval;
      found.length < expected;
      pause = Math.min(pause * 1.5, MAX_POLL_MS)
    ) {
      await sleep(pause, deadline.signal);
      found = await findReplies(api, slug, message, until);
    }
    return { message, replies: found, isComplete: true };
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.signal.aborted) throw error;
    return { message, replies: found, isComplete: false };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Replies are newer than the message, so that the list need not be read beyond it. */
async function findReplies(
  api: Transport,
  slug: string,
  { id, sessionId, parentMessageId }: Message,
  options: RequestOptions,
): Promise<Message[]> {
  const thread = parentMessageId === null ? {} : { parentMessageId };
  const found: Message[] = [];
  for await (const message of api.list<Message>(MESSAGES, [slug, sessionId], thread, options)) {
    if (message.id === id) break;
    if (message.inReplyToMessageId === id) found.unshift(message);
  }
  return found;
}

/**
 * How many of the mentions answer: `@model`, a model by its slug, an MCP server of the Project. What
 * the key may not look up counts, since to wait in vain is better than to miss a reply.
 */
async function countAnswering(
  api: Transport,
  slug: string,
  { mentions, sessionId }: Message,
  options: RequestOptions,
): Promise<number> {
  let silent = mentions.filter((mention) => mention !== 'model');
  const drop = (slugs: string[]) => {
    silent = silent.filter((mention) => !slugs.includes(mention));
  };
  if (silent.length > 0) {
    const models = await listAll<Model>(api, '/models', options);
    drop(models ? models.map((model) => model.slug) : silent);
  }
  if (silent.length > 0) {
    const servers = await listAll<McpServer>(api, '/mcp/servers', options);
    drop(servers ? await slugsServing(api, slug, sessionId, servers, options) : silent);
  }
  return Math.min(mentions.length - silent.length, MOST_REPLIES);
}

async function slugsServing(
  api: Transport,
  slug: string,
  sessionId: string,
  servers: McpServer[],
  options: RequestOptions,
): Promise<string[]> {
  if (servers.length === 0) return [];
  const path = '/spaces/{slug}/sessions/{sessionId}';
  const { projectId } = await api.call<Session>('GET', path, [slug, sessionId], undefined, options);
  return servers
    .filter(({ projectIds }) => projectIds.length === 0 || projectIds.includes(projectId))
    .map(({ mentionSlug }) => mentionSlug);
}

/** Undefined where the key may not look. */
async function listAll<Item>(
  api: Transport,
  path: string,
  options: RequestOptions,
): Promise<Item[] | undefined> {
  try {
    return (await api.list<Item>(path, [], undefined, options)).items;
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
