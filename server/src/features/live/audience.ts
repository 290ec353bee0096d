import type { Logger } from 'pino';
import type { Hint } from '../../bus/hints.ts';
import type { Queryable } from '../../db/types.ts';
import { eventOf, mayHear, projectOf, type Reader } from './reader.ts';
import { findStandings } from './store.ts';

/** More than this at once is told as `resync`: the pages list everything again. */
const MOST_WAITING = 500;
const TRY_AGAIN_MS = 1_000;
const RESYNC: Hint = { type: 'resync' };

/** The readers of one org. */
export interface Audience {
  readonly readers: Set<Reader>;
  tell(hint: Hint): void;
  /** Ends the streams of those who may no longer read, though nothing has happened. */
  check(): void;
}

/**
 * Passes hints on to those who may hear of them. For all that came in while one look-up was under way
 * there is one more: whoever is no longer signed in or in the org is sent away by it.
 */
export function createAudience(db: Queryable, log: Logger, orgId: string): Audience {
  const readers = new Set<Reader>();
  /** By their text: of the same hint twice, once is enough. */
  let waiting = new Map<string, Hint>();
  let isCheckDue = false;
  let isWorking = false;

  function tell(hint: Hint): void {
    if (readers.size === 0) return;
    if (waiting.size >= MOST_WAITING) waiting = new Map([['', RESYNC]]);
    waiting.set(JSON.stringify(hint), hint);
    work();
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    // What one commit or one notification brings comes in one turn of the event loop: let it gather.
    setImmediate(() => void passOn());
  }

  async function passOn(): Promise<void> {
    while (readers.size > 0 && (waiting.size > 0 || isCheckDue)) {
      const hints = [...waiting.values()];
      waiting.clear();
      isCheckDue = false;
      // Who comes in during the look-up began with a resync, and lists what was committed by then.
      const present = [...readers];
      try {
        await deliver(hints, present);
      } catch (error) {
        // Nothing goes out unchecked. Later it is not worth knowing what it was.
        log.warn({ err: error, orgId }, 'live hints could not be passed on; trying again');
        waiting = new Map([['', RESYNC]]);
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS).unref());
      }
    }
    isWorking = false;
  }

  async function deliver(hints: readonly Hint[], present: readonly Reader[]): Promise<void> {
    const sessions = [...new Set(present.map(({ webSessionId }) => webSessionId))];
    const projects = [...new Set(hints.map(projectOf))].filter((id) => id !== undefined);
    const standings = await findStandings(db, orgId, sessions, projects);
    const bySession = new Map(standings.map((row) => [row.webSessionId, row.projectIds]));
    for (const reader of present) {
      const projectIds = bySession.get(reader.webSessionId);
      if (!projectIds) {
        reader.end();
        continue;
      }
      const heard = hints.filter((hint) => mayHear(hint, reader, projectIds));
      if (heard.length > 0) reader.write(heard.map(eventOf).join(''));
    }
  }

  return {
    readers,
    tell,
    check() {
      isCheckDue = true;
      work();
    },
  };
}
