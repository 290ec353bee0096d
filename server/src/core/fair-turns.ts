import { setImmediate } from 'node:timers/promises';

export interface FairTurns {
  /** Runs `work` when it is the org's turn. */
  take<T>(orgId: string, work: () => T | Promise<T>): Promise<T>;
}

/**
 * Runs small pieces of work one at a time: orgs take turns, and each org's work runs in order of arrival.
 * Between two pieces the event loop handles everything else.
 */
export function createFairTurns(): FairTurns {
  /** The first org in the map is next. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isRunning = false;

  function nextPiece(): (() => Promise<void>) | undefined {
    const [turn] = waiting;
    if (!turn) return undefined;
    const [orgId, pieces] = turn;
    const piece = pieces.shift();
    // Moves the org to the end of the round.
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
