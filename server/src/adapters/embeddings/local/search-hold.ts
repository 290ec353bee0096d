/** Enough for the statements of a search, also on a busy machine. */
const MOST_MS = 60;
/** However many people search, other work has its turn this often. */
const OTHERS_EVERY_MS = 100;

export type SearchHold = ReturnType<typeof createSearchHold>;

/**
 * A search needs the model twice: for its query, and a few statements later for its re-ranking. Other work
 * waits in between: it would hold up the re-ranking and, where there are few cores, the statements too.
 */
export function createSearchHold(now = () => performance.now()) {
  let searches = 0;
  let endsAt = -Infinity;
  /** Since when other work has been waiting, at the longest. */
  let waitingSince = -Infinity;

  function forgetOld(): void {
    // Some never re-rank, because nothing was found or they failed.
    if (endsAt <= now()) searches = 0;
  }

  return {
    /** A search has its query's vectors, and will re-rank what it finds. */
    begin() {
      forgetOld();
      if (searches === 0) waitingSince = now();
      searches++;
      endsAt = now() + MOST_MS;
    },
    /** It has re-ranked. */
    end() {
      searches = Math.max(0, searches - 1);
    },
    /** Other work has had its turn. */
    noteOthers() {
      waitingSince = now();
    },
    /** How long other work still has to wait. */
    restMs() {
      forgetOld();
      if (searches === 0) return 0;
      return Math.max(0, Math.min(endsAt, waitingSince + OTHERS_EVERY_MS) - now());
    },
  };
}
