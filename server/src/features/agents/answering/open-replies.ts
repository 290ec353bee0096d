import {
  keyOf,
  type ReplyKey,
  type ReplyLines,
  type ReplyPlace,
} from '../../../bus/reply-lines.ts';
import { createReplyFeed, type ReplyFeed } from './reply-feed.ts';

/** Viewers forget a reply that nobody seems to write, so each says that it goes on. */
export const ALIVE_EVERY_MS = 2_000;

/** A reply that this process is writing. */
export interface OpenReply {
  /** Aborted when somebody stops the reply, in any process. */
  stop: AbortSignal;
  /** Viewers see the reply from now on. */
  show(place: ReplyPlace): ReplyFeed;
  /** Viewers are told whether there is a reply now. */
  close(hasLanded: boolean): void;
}

/** The replies that this process is writing. */
export interface OpenReplies {
  open(key: ReplyKey): OpenReply;
  /** For the end of the process. */
  close(): void;
}

export function createOpenReplies(lines: ReplyLines): OpenReplies {
  const writers = new Map<string, Set<{ stop: AbortController; feed: ReplyFeed | undefined }>>();
  const feeds = () => [...writers.values()].flatMap((set) => [...set].map(({ feed }) => feed));

  const stopListening = lines.listen((line) => {
    if ('isAsking' in line) for (const feed of feeds()) feed?.repeat();
    if ('stop' in line) for (const { stop } of writers.get(keyOf(line.stop)) ?? []) stop.abort();
  });
  const heartbeat = setInterval(() => {
    for (const feed of feeds()) feed?.keepAlive();
  }, ALIVE_EVERY_MS).unref();

  return {
    open(key) {
      const name = keyOf(key);
      const writer = { stop: new AbortController(), feed: undefined as ReplyFeed | undefined };
      // Two at once, if a run has lost its job to another one and does not know yet.
      const same = writers.get(name) ?? new Set();
      writers.set(name, same.add(writer));
      return {
        stop: writer.stop.signal,
        show(place) {
          writer.feed = createReplyFeed(place, (line) => lines.publish(line));
          return writer.feed;
        },
        close(hasLanded) {
          same.delete(writer);
          if (same.size === 0) writers.delete(name);
          writer.feed?.end(hasLanded);
        },
      };
    },
    close() {
      stopListening();
      clearInterval(heartbeat);
    },
  };
}
