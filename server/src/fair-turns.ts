import { setImmediate } from 'node:timers/promises';

export interface FairTurns {
  /** Runs `work` when the org's turn comes. */
  take<T>(orgId: string, work: () => T | Promise<T>): Promise<T>;
}

/**
 * Does small pieces of work one after the other, orgs in turn and each in order of arrival. The event loop
 * serves everything else that waits between two of them.
 */
export function createFairTurns(): FairTurns {
  /** The org whose turn it is comes first. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isRunning = false;

  function nextPiece(): (() => Promise<void>) | undefined {
    const [turn] = waiting;
    if (!turn) return undefined;
    const [orgId, pieces] = turn;
    const piece = pieces.shift();
    // To the end of the round.
    waiting.delete(orgId);
    if (pieces.length > 0) waiting.set(orgId, pieces);
    return piece;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0) {
      await setImmediate();
      await nextPiece()?.();
    }
    isRunning = false;
  }

  return {
    take<T>(orgId: string, work: () => T | Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const pieces = waiting.get(orgId) ?? [];
      pieces.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      });
      waiting.set(orgId, pieces);
      if (!isRunning) void run();
      return promise;
    },
  };
}
