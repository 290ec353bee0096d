import { readTimeout, type RequestOptions } from './options.ts';
import { sleep } from './retry.ts';
import { streamEvents } from './stream.ts';
import type { Transport } from './transport.ts';
import type { CreateMessage, Message } from './types.ts';

export interface WaitOptions extends Omit<RequestOptions, 'timeout'> {
  /** Milliseconds to wait for the replies after the message is posted. Default: 130,000. */
  timeout?: number | undefined;
  /** Milliseconds before the first poll. Each pause is longer than the last, up to 5 seconds. */
  pollInterval?: number | undefined;
  /** Waits for this many replies instead of for everybody who is answering. */
  replies?: number | undefined;
  /** Called while replies are written. Only the messages returned at the end are the replies. */
  onDelta?: ((delta: ReplyDelta) => void) | undefined;
}

/** A reply grew, or started over. */
export interface ReplyDelta {
  /** Who is writing, as in `mentions`. */
  mention: string;
  /** What was added. */
  delta: string;
  /** All that was written until now. */
  text: string;
}

export interface PostedWithReplies {
  message: Message;
  /** The AGENT messages, oldest first. */
  replies: Message[];
  /** False if the timeout expired first. */
  isComplete: boolean;
}

interface Posting {
  slug: string;
  sessionId: string;
  params: CreateMessage;
}

const MESSAGES = '/spaces/{slug}/sessions/{sessionId}/messages';
const MESSAGE = '/spaces/{slug}/messages/{messageId}';
/** The server gives a model 120 seconds, then lands a FAILED reply. */
const DEFAULT_TIMEOUT_MS = 130_000;
const MAX_POLL_MS = 5000;

export async function postAndWait(
  api: Transport,
  { slug, sessionId, params }: Posting,
  {
    timeout = DEFAULT_TIMEOUT_MS,
    pollInterval = 500,
    replies,
    onDelta,
    ...options
  }: WaitOptions = {},
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
  let pending = message.pendingReplies.length;
  let found: Message[] = [];
  let pause = pollInterval;
  let tag: string | undefined;
  const watched = new AbortController();
  if (onDelta && pending > 0) {
    const signals = AbortSignal.any([deadline.signal, watched.signal]);
    // A view only: if it fails, polling still finds the replies.
    watch(api, message, { ...polling, signal: signals }, slug, onDelta).catch(() => {});
  }
  try {
    while (replies === undefined ? pending > 0 : found.length < replies) {
      await sleep(pause, deadline.signal);
      pause = Math.min(pause * 1.5, MAX_POLL_MS);
      const ids = [slug, message.id];
      const answer = await api.getUnless<Message>(tag, MESSAGE, ids, undefined, until);
      // A reply that lands also changes the question, in the same commit.
      if (!answer.data) continue;
      tag = answer.headers.get('ETag') ?? undefined;
      const { pendingReplies } = answer.data;
      // Listed after the question was read, so every reply that is no longer pending is in the list.
      if (replies !== undefined || pendingReplies.length < pending) {
        found = await findReplies(api, slug, message, until);
      }
      pending = pendingReplies.length;
    }
    return { message, replies: found, isComplete: true };
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.signal.aborted) throw error;
    return { message, replies: found, isComplete: false };
  } finally {
    watched.abort();
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function watch(
  api: Transport,
  { id, sessionId }: Message,
  options: RequestOptions,
  slug: string,
  onDelta: (delta: ReplyDelta) => void,
): Promise<void> {
  const texts = new Map<string, string>();
  for await (const event of streamEvents(api, [slug, sessionId], options)) {
    if (!('questionId' in event) || event.questionId !== id || !('text' in event)) continue;
    const { type, mention, text: delta } = event;
    const text = type === 'reply.delta' ? (texts.get(mention) ?? '') + delta : delta;
    texts.set(mention, text);
    onDelta({ mention, delta, text });
  }
}

/** Replies are newer than the message, so the list is read no further than that. */
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
