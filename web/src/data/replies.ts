import type { SessionEvent, ToolProgress } from '@atrium/sdk';
import { useCallback, useSyncExternalStore } from 'react';
import { createListeners } from './store.ts';

type WithoutPlace<Event> = Event extends unknown ? Omit<Event, 'projectId' | 'sessionId'> : never;

/** What the server says about a reply that is being written, as in a session's own stream. */
export type ReplyEvent = WithoutPlace<Extract<SessionEvent, { type: `reply.${string}` }>>;

/** A reply as far as it is written. */
export interface PartialReply {
  text: string;
  toolCalls: readonly ToolProgress[];
  isWriting: boolean;
}

interface Reply extends PartialReply {
  questionId: string;
  mention: string;
  /** The `seq` of the next delta. Undefined after a gap, until the server sends the text again. */
  next: number | undefined;
  /** Events may have been missed since it was last heard of. If that happens twice, it is forgotten. */
  isUnconfirmed: boolean;
}

/** An ended reply stays on screen until its message is listed, a moment later. */
const MOST_ENDED = 20;

/**
 * Replies while they are written, whichever session they are in. This is a view: the message that lands
 * is the record. Watchers see at most one change per animation frame, however many events arrive.
 */
export function createReplies(onNextFrame: (run: () => void) => void) {
  const replies = new Map<string, Reply>();
  const shown = new Map<string, PartialReply>();
  const changed = new Set<string>();
  const listeners = createListeners();

  function show(): void {
    for (const key of changed) {
      const reply = replies.get(key);
      if (!reply) {
        shown.delete(key);
        continue;
      }
      const { text, toolCalls, isWriting } = reply;
      shown.set(key, { text, toolCalls, isWriting });
    }
    changed.clear();
    listeners.notify();
  }

  function touch(key: string): void {
    if (changed.size === 0) onNextFrame(show);
    changed.add(key);
  }

  function remove(key: string): void {
    if (replies.delete(key)) touch(key);
  }

  function forgetOldest(): void {
    const ended = [...replies].filter(([, { isWriting }]) => !isWriting);
    for (const [key] of ended.slice(0, -MOST_ENDED)) remove(key);
  }

  return {
    subscribe: listeners.subscribe,
    find: (questionId: string, mention: string): PartialReply | undefined =>
      shown.get(keyOf(questionId, mention)),

    follow(event: ReplyEvent): void {
      const { questionId, mention } = event;
      const key = keyOf(questionId, mention);
      const reply = replies.get(key);
      const begin = (text: string, next: number) => {
        // Moved to the end, so that the map's first ended entry is the oldest.
        replies.delete(key);
        replies.set(key, {
          questionId,
          mention,
          text,
          toolCalls: [],
          next,
          isWriting: true,
          isUnconfirmed: false,
        });
        touch(key);
      };
      switch (event.type) {
        case 'reply.started':
        case 'reply.restarted':
          return begin(event.text, event.seq);
        case 'reply.delta': {
          if (!reply?.isWriting || reply.next === undefined || event.seq < reply.next) return;
          if (event.seq > reply.next) {
            reply.next = undefined;
            return;
          }
          reply.text += event.text;
          reply.next++;
          reply.isUnconfirmed = false;
          return touch(key);
        }
        case 'reply.tools': {
          if (!reply?.isWriting) return;
          reply.toolCalls = event.toolCalls;
          return touch(key);
        }
        case 'reply.ended': {
          if (!reply) return;
          reply.isWriting = false;
          touch(key);
          forgetOldest();
        }
      }
    },

    /** On a new connection, the server then sends each reply that is under way, with its text. */
    resync(): void {
      for (const [key, reply] of replies) {
        if (reply.isUnconfirmed) remove(key);
        reply.isUnconfirmed = true;
      }
    },

    /** What a server would send on a new connection, for a tab that has just opened. */
    list(): ReplyEvent[] {
      return [...replies.values()].flatMap((reply): ReplyEvent[] => {
        const { questionId, mention, text, toolCalls, next, isWriting } = reply;
        if (!isWriting || next === undefined) return [];
        return [
          { type: 'reply.started', questionId, mention, seq: next, text },
          { type: 'reply.tools', questionId, mention, toolCalls: [...toolCalls] },
        ];
      });
    },

    clear(): void {
      for (const key of replies.keys()) remove(key);
    },
  };
}

function keyOf(questionId: string, mention: string): string {
  return `${questionId}:${mention}`;
}

/** Hidden tabs have no frames. They collect what arrives and show it when they are visible again. */
export const replies = createReplies((run) => requestAnimationFrame(run));

/** A reply under way, or undefined if nothing is known about it yet. */
export function usePartialReply(questionId: string, mention: string): PartialReply | undefined {
  return useSyncExternalStore(
    replies.subscribe,
    useCallback(() => replies.find(questionId, mention), [questionId, mention]),
  );
}
