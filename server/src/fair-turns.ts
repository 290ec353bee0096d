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

  async function run(): Promise<void> {
    isRunning = true;
    for (let [turn] = waiting; turn; [turn] = waiting) {
      const [orgId, pieces] = turn;
      const piece = pieces.shift();
      // To the end of the round.
      waiting.delete(orgId);
      if (pieces.length > 0) waiting.set(orgId, pieces);
      await setImmediate();
      await piece?.();
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
