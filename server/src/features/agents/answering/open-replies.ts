import {
  keyOf,
  type ReplyKey,
  type ReplyLines,
  type ReplyPlace,
} from '../../../bus/reply-lines.ts';
import { createDraft, type Draft } from './draft.ts';

/** Viewers forget a reply that nobody seems to write, so each says that it goes on. */
export const ALIVE_EVERY_MS = 2_000;

/** A reply that this process is writing. */
export interface OpenReply {
  /** Aborted when somebody stops the reply, in any process. */
  stop: AbortSignal;
  /** Viewers see the reply from now on. */
  show(place: ReplyPlace): Draft;
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
  const writers = new Map<string, Set<{ stop: AbortController; draft: Draft | undefined }>>();
  const drafts = () => [...writers.values()].flatMap((set) => [...set].map(({ draft }) => draft));

  const stopListening = lines.listen((line) => {
    if ('isAsking' in line) for (const draft of drafts()) draft?.repeat();
    if ('stop' in line) for (const { stop } of writers.get(keyOf(line.stop)) ?? []) stop.abort();
  });
  const heartbeat = setInterval(() => {
    for (const draft of drafts()) draft?.keepAlive();
  }, ALIVE_EVERY_MS).unref();

  return {
    open(key) {
      const name = keyOf(key);
      const writer = { stop: new AbortController(), draft: undefined as Draft | undefined };
      // Two at once, if a run has lost its job to another one and does not know yet.
      const same = writers.get(name) ?? new Set();
      writers.set(name, same.add(writer));
      return {
        stop: writer.stop.signal,
        show(place) {
          writer.draft = createDraft(place, (line) => lines.publish(line));
          return writer.draft;
        },
        close(hasLanded) {
          same.delete(writer);
          if (same.size === 0) writers.delete(name);
          writer.draft?.end(hasLanded);
        },
      };
    },
    close() {
      stopListening();
      clearInterval(heartbeat);
    },
  };
}
