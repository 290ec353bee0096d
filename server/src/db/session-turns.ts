/** Waits for the session, and returns what ends the turn. */
export type TakeTurn = (isShortRead: boolean) => Promise<() => void>;

/**
 * Who uses the embedded engine's one session next. All short reads that wait go before the next transaction,
 * so that a queue of one org's writes does not hold up every other request; later ones wait for it.
 */
export function createSessionTurns(): TakeTurn {
  type Start = () => void;
  let shortReads: Start[] = [];
  let others: Start[] = [];
  /** The turns of this round, in order. */
  let round: Start[] = [];
  let isTaken = false;

  function next(): void {
    if (round.length === 0) {
      const [other, ...rest] = others;
      round = other ? [...shortReads, other] : shortReads;
      shortReads = [];
      others = rest;
    }
    const start = round.shift();
    isTaken = start !== undefined;
    start?.();
  }

  return async (isShortRead) => {
    if (isTaken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      (isShortRead ? shortReads : others).push(resolve);
      await promise;
    }
    isTaken = true;
    return next;
  };
}
