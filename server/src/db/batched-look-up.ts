const MAX_BATCH = 200;

/**
 * Requests that arrive while one look-up is under way share the next one: a busy server asks once
 * for many. A request never joins a look-up that began before it, so what it learns is fresh.
 * `find` answers in the order of what it is asked.
 */
export function createBatchedLookUp<Asked, Found>(
  find: (batch: Asked[]) => Promise<Found[]>,
): (asked: Asked) => Promise<Found> {
  interface Waiting {
    asked: Asked;
    resolve: (found: Found) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let asking = false;

  async function ask(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const found = await find(batch.map(({ asked }) => asked));
        for (const [at, { resolve }] of batch.entries()) resolve(found[at] as Found);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    asking = false;
  }

  return (asked) => {
    const answer = Promise.withResolvers<Found>();
    waiting.push({ asked, ...answer });
    // Requests of one turn of the event loop are read one after the other: let them gather.
    if (!asking) {
      asking = true;
      setImmediate(() => void ask());
    }
    return answer.promise;
  };
}
