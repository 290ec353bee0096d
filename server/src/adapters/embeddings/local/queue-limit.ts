import { type Priority, QueueFull } from '../text-encoder.ts';

interface Amount {
  texts: number;
  characters: number;
}

export type QueueLimits = Record<Priority, Amount>;

/** Each priority has its own queue, so background work can't keep out a query. */
export const QUEUE_LIMITS: QueueLimits = {
  query: { texts: 512, characters: 1_024_000 },
  write: { texts: 2_048, characters: 8_000_000 },
  background: { texts: 2_048, characters: 8_000_000 },
};

/**
 * Admits work as long as an org has no more waiting than there is room left for others; otherwise throws
 * QueueFull. So one org alone gets half of the queue, and there is always room for another.
 */
export function createQueueLimit(limits: QueueLimits) {
  const queues = { query: createQueue(), write: createQueue(), background: createQueue() };

  return async function admit<T>(
    { priority, orgId }: { priority: Priority; orgId: string },
    texts: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    const { all, byOrg } = queues[priority];
    const own = byOrg.get(orgId) ?? { texts: 0, characters: 0 };
    const added = {
      texts: texts.length,
      characters: texts.reduce((sum, text) => sum + text.length, 0),
    };
    if (!fits(added, own, all, limits[priority])) throw new QueueFull(priority);
    byOrg.set(orgId, own);
    for (const amount of [all, own]) add(amount, added, 1);
    try {
      return await work();
    } finally {
      for (const amount of [all, own]) add(amount, added, -1);
      if (own.texts === 0) byOrg.delete(orgId);
    }
  };
}

function createQueue(): { all: Amount; byOrg: Map<string, Amount> } {
  return { all: { texts: 0, characters: 0 }, byOrg: new Map() };
}

function fits(added: Amount, own: Amount, all: Amount, limit: Amount): boolean {
  return (['texts', 'characters'] as const).every(
    (unit) => own[unit] + added[unit] <= limit[unit] - all[unit] - added[unit],
  );
}

function add(amount: Amount, added: Amount, by: 1 | -1): void {
  amount.texts += by * added.texts;
  amount.characters += by * added.characters;
}
