import type { WebClient } from '@slack/web-api';
import { patiently } from '../patient-call.ts';
import {
  isChatFailure,
  type ChatEvent,
  type ChatPage,
  type FetchOptions,
  type KnownMessage,
} from '../provider.ts';
import type { SlackCall } from './slack-call.ts';
import { deletedMessage, messageEventId } from './slack-events.ts';
import {
  reactionsOf,
  readSlackMessage,
  timeOf,
  type SlackMessage,
  type SlackSelf,
} from './slack-message.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Slack doesn't list edits and deletions. What was written this long before we left is read again. */
const SHORTEST_LOOK_BACK_MS = 10 * MINUTE_MS;
const LONGEST_LOOK_BACK_MS = DAY_MS;
/** Nor does it list replies to older messages. Threads that we know are asked one by one. */
const THREAD_AGE_MS = 7 * DAY_MS;
const MOST_OLD_THREADS = 100;
const SETTLED_MS = 5_000;
const PAGE_SIZE = 200;
/** How much time is read at once: more while little was written, less while much was. */
const SHORTEST_STRETCH_MS = 15 * MINUTE_MS;
const FIRST_STRETCH_MS = 60 * MINUTE_MS;

interface History {
  call: SlackCall;
  self: SlackSelf;
  channelId: string;
  options: FetchOptions;
  /** Makes the ids of this reading's events unique: reactions may have changed since the last one. */
  run: string;
}

type Reading = Pick<ChatPage, 'events' | 'againInMs'>;

export async function* fetchSlackSince(
  from: Omit<History, 'run'>,
  since: Date,
): AsyncGenerator<ChatPage, void> {
  const now = new Date();
  const history: History = { ...from, run: now.getTime().toString(36) };
  const away = now.getTime() - since.getTime();
  const lookBack = Math.min(Math.max(10 * away, SHORTEST_LOOK_BACK_MS), LONGEST_LOOK_BACK_MS);
  let start = new Date(since.getTime() - lookBack);
  const first = start;
  let length = FIRST_STRETCH_MS;
  let place = since;
  // A minute ahead, for clocks that differ.
  const end = now.getTime() + MINUTE_MS;
  while (start.getTime() < end) {
    const stop = new Date(Math.min(start.getTime() + length, end));
    // Asked for before Slack is: what arrives meanwhile must not look deleted.
    const known = await from.options.known(start, stop);
    const roots = await readRoots(history, start, stop);
    const { events, againInMs } = await readStretch(history, roots, known, { start, stop });
    const isLast = stop.getTime() === end;
    place = laterOf(place, isLast ? latestOf(events) : stop);
    start = stop;
    length =
      roots.length < PAGE_SIZE
        ? Math.min(length * 2, DAY_MS)
        : Math.max(length / 2, SHORTEST_STRETCH_MS);
    yield { events, place, againInMs };
  }
  const { events, againInMs } = await readOldThreads(history, first, now);
  yield { events, place: laterOf(place, latestOf(events)), againInMs };
}

/** By Slack's clock, which ours need not agree with. */
function latestOf(events: ChatEvent[]): Date | undefined {
  const times = events.flatMap((event) => (event.kind === 'message' ? event.time.getTime() : []));
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}

function laterOf(one: Date, other: Date | undefined): Date {
  return other !== undefined && other > one ? other : one;
}

/** Messages outside threads, oldest first. Slack lists the newest first. */
async function readRoots(history: History, start: Date, stop: Date): Promise<SlackMessage[]> {
  const range = { oldest: tsOf(start), latest: tsOf(stop), inclusive: true };
  const pages = readPages(history, (client, page) =>
    client.conversations.history({ ...page, ...range }),
  );
  return (await Array.fromAsync(pages)).flat().toSorted(byTime);
}

interface PageRequest {
  channel: string;
  limit: number;
  include_all_metadata: boolean;
  cursor?: string;
}

interface PageResponse {
  messages?: unknown[];
  has_more?: boolean;
  response_metadata?: { next_cursor?: string };
}

async function* readPages(
  { call, channelId, options: { signal } }: History,
  read: (client: WebClient, page: PageRequest) => Promise<PageResponse>,
): AsyncGenerator<SlackMessage[], void> {
  const page: PageRequest = { channel: channelId, limit: PAGE_SIZE, include_all_metadata: true };
  for (;;) {
    const found = await patiently(signal, () => call((client) => read(client, page), signal));
    yield (found.messages ?? []) as SlackMessage[];
    const cursor = found.has_more && found.response_metadata?.next_cursor;
    if (!cursor) return;
    page.cursor = cursor;
  }
}

/** The stretch's messages with their threads, and what we know of it that is no longer there. */
async function readStretch(
  history: History,
  roots: SlackMessage[],
  known: KnownMessage[],
  { start, stop }: { start: Date; stop: Date },
): Promise<Reading> {
  const listed = [...roots];
  for (const { ts, reply_count: replies = 0 } of roots) {
    if (ts !== undefined && replies > 0) listed.push(...(await readReplies(history, ts)));
  }
  const isListed = new Set(listed.map(({ ts }) => ts));
  // A reply whose thread began earlier is not in this listing.
  const missing = known.filter(
    ({ id, threadId }) => !isListed.has(id) && isBetween(threadId ?? id, start, stop),
  );
  return readingOf(history, listed.toSorted(byTime), missing);
}

/** Threads that began before the listing: their new replies, and those that are gone. */
async function readOldThreads(history: History, before: Date, now: Date): Promise<Reading> {
  const known = await history.options.known(new Date(now.getTime() - THREAD_AGE_MS), now);
  const started = known.flatMap(({ id, threadId }) => threadId ?? id);
  const threads = [...new Set(started)]
    .filter((threadId) => timeOf(threadId) < before)
    .toSorted((one, other) => Number(other) - Number(one))
    .slice(0, MOST_OLD_THREADS);
  const listed: SlackMessage[] = [];
  for (const threadId of threads) listed.push(...(await readReplies(history, threadId)));
  const isListed = new Set(listed.map(({ ts }) => ts));
  const isAsked = new Set(threads);
  const missing = known.filter(
    ({ id, threadId = '' }) => isAsked.has(threadId) && !isListed.has(id),
  );
  return readingOf(history, listed, missing);
}

/** Of what is missing, nobody can tell yet whether it is gone if it was written just now. */
function readingOf(history: History, listed: SlackMessage[], missing: KnownMessage[]): Reading {
  const gone = missing.filter(({ id }) => isSettled(id, history.options.missing));
  return {
    events: [...listed, ...gone].flatMap((each) => eventOf(history, each)),
    againInMs: gone.length < missing.length ? SETTLED_MS : undefined,
  };
}

/** Without the thread's first message. None if the whole thread is gone. */
async function readReplies(history: History, threadId: string): Promise<SlackMessage[]> {
  const replies: SlackMessage[] = [];
  const pages = readPages(history, (client, page) =>
    client.conversations.replies({ ...page, ts: threadId }),
  );
  try {
    for await (const page of pages) replies.push(...page);
  } catch (error) {
    if (!isChatFailure(error, 'not_found')) throw error;
  }
  return replies.filter(({ ts }) => ts !== threadId);
}

function eventOf(
  { self, channelId, run }: History,
  from: SlackMessage | KnownMessage,
): ChatEvent[] {
  if ('id' in from) return [deletedMessage(channelId, from.id, new Date(), from.threadId)];
  if (from.subtype === 'tombstone' && from.ts !== undefined) {
    return [deletedMessage(channelId, from.ts, new Date())];
  }
  const message = readSlackMessage(from, channelId, self);
  if (!message) return [];
  return [
    {
      kind: 'message',
      eventId: `${messageEventId(message.id, channelId, message.editedAt)}:${run}`,
      time: message.editedAt ?? message.createdAt,
      channelId,
      message: { ...message, reactions: reactionsOf(from) ?? [] },
    },
  ];
}

/**
 * What was written just now may be missing from Slack's listing for a moment. If our clock is behind Slack's,
 * it looks new for longer: what is still missing after that moment is gone, whatever its time.
 */
function isSettled(ts: string, missing: Map<string, number>): boolean {
  const now = performance.now();
  const since = missing.get(ts) ?? now;
  const isGone = timeOf(ts).getTime() < Date.now() - SETTLED_MS || since <= now - SETTLED_MS;
  if (isGone) missing.delete(ts);
  else missing.set(ts, since);
  return isGone;
}

function isBetween(ts: string, start: Date, stop: Date): boolean {
  const time = timeOf(ts);
  return time >= start && time <= stop;
}

function byTime(one: SlackMessage, other: SlackMessage): number {
  return Number(one.ts ?? 0) - Number(other.ts ?? 0);
}

function tsOf(time: Date): string {
  return (time.getTime() / 1000).toFixed(6);
}
