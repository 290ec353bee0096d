/** Waits for the session, and returns what ends the turn. */
export type TakeTurn = (isShortRead: boolean, owner: unknown) => Promise<() => void>;

type Start = () => void;

/**
 * Who uses the embedded engine's one session next. In each round goes one short read of each owner, and then
 * one transaction or longer statement, of the owners in turn. So a queue of one org holds up nobody else, and
 * nothing waits forever. An owner is an org's id; whoever names none is an owner by itself.
 */
export function createSessionTurns(): TakeTurn {
  const shortReads = new Map<unknown, Start[]>();
  const others = new Map<unknown, Start[]>();
  /** The turns of this round, in order. */
  let round: Start[] = [];
  let isTaken = false;

  function next(): void {
    if (round.length === 0) {
      const reads = [...shortReads.keys()].map((owner) => takeFirst(shortReads, owner));
      const [owner] = others.keys();
      round = others.size > 0 ? [...reads, takeFirst(others, owner)] : reads;
    }
    const start = round.shift();
    isTaken = start !== undefined;
    start?.();
  }

  return async (isShortRead, owner) => {
    if (isTaken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting = isShortRead ? shortReads : others;
      const key = typeof owner === 'string' ? owner : Symbol('nobody');
      waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
      await promise;
    }
    isTaken = true;
    return next;
  };
}

/** The first that an owner waits with. The owner goes to the end of the line. */
function takeFirst(waiting: Map<unknown, Start[]>, owner: unknown): Start {
  const [first = () => {}, ...rest] = waiting.get(owner) ?? [];
  waiting.delete(owner);
  if (rest.length > 0) waiting.set(owner, rest);
  return first;
}
