import { type Priority, QueueFull } from '../text-encoder.ts';

export type QueueLimits = Record<Priority, { texts: number; characters: number }>;

/** Each priority has a queue of its own: however much background work waits, there is room for a query. */
export const QUEUE_LIMITS: QueueLimits = {
  query: { texts: 256, characters: 512_000 },
  write: { texts: 1_024, characters: 4_000_000 },
  background: { texts: 1_024, characters: 4_000_000 },
};

/** Lets work in while it fits, and throws QueueFull otherwise. */
export function createQueueLimit(limits: QueueLimits) {
  const waiting = {
    query: { texts: 0, characters: 0 },
    write: { texts: 0, characters: 0 },
    background: { texts: 0, characters: 0 },
  };

  return async function admit<T>(
    priority: Priority,
    texts: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    const queue = waiting[priority];
    const limit = limits[priority];
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (
      queue.texts + texts.length > limit.texts ||
      queue.characters + characters > limit.characters
    ) {
      throw new QueueFull(priority);
    }
    queue.texts += texts.length;
    queue.characters += characters;
    try {
      return await work();
    } finally {
      queue.texts -= texts.length;
      queue.characters -= characters;
    }
  };
}
