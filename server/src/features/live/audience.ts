import type { Logger } from 'pino';
import type { Hint } from '../../bus/hints.ts';
import type { Queryable } from '../../db/types.ts';
import { eventOf, mayHear, projectOf, type EventStream } from './event-stream.ts';
import { findStandings } from './store.ts';

/** More hints than this at once become one `resync`: the pages reload everything. */
const MOST_WAITING = 500;
const TRY_AGAIN_MS = 1_000;
const RESYNC: Hint = { type: 'resync' };

/** The open streams of one org. */
export interface Audience {
  readonly streams: Set<EventStream>;
  tell(hint: Hint): void;
  /** Ends the streams of people who may no longer read, even if there are no hints. */
  check(): void;
}

/**
 * Passes hints on to the people who may see them. Hints that arrive during one lookup share the next one.
 * A lookup also ends the streams of people who are signed out or no longer in the org.
 */
export function createAudience(db: Queryable, log: Logger, orgId: string): Audience {
  const streams = new Set<EventStream>();
  /** Keyed by their text, because sending the same hint once is enough. */
  let waiting = new Map<string, Hint>();
  let isCheckDue = false;
  let isWorking = false;

  function tell(hint: Hint): void {
    if (streams.size === 0) return;
    if (waiting.size >= MOST_WAITING) waiting = new Map([['', RESYNC]]);
    waiting.set(JSON.stringify(hint), hint);
    work();
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    // Hints of one commit or notification arrive in one turn of the event loop, so wait for all of them.
    setImmediate(() => void passOn());
  }

  async function passOn(): Promise<void> {
    while (streams.size > 0 && (waiting.size > 0 || isCheckDue)) {
      const hints = [...waiting.values()];
      waiting.clear();
      isCheckDue = false;
      // A stream that opens during the lookup starts with a resync and lists everything committed until then.
      const present = [...streams];
      try {
        await deliver(hints, present);
      } catch (error) {
        // Nothing is sent unchecked. After a failure a resync replaces the individual hints.
        log.warn({ err: error, orgId }, 'could not deliver live hints, will retry');
        waiting = new Map([['', RESYNC]]);
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS).unref());
      }
    }
    isWorking = false;
  }

  async function deliver(hints: readonly Hint[], present: readonly EventStream[]): Promise<void> {
    const sessions = [...new Set(present.map(({ webSessionId }) => webSessionId))];
    const projects = [...new Set(hints.map(projectOf))].filter((id) => id !== undefined);
    const standings = await findStandings(db, orgId, sessions, projects);
    const bySession = new Map(standings.map((row) => [row.webSessionId, row.projectIds]));
    for (const stream of present) {
      const projectIds = bySession.get(stream.webSessionId);
      if (!projectIds) {
        stream.end();
        continue;
      }
      const heard = hints.filter((hint) => mayHear(hint, stream, projectIds));
      if (heard.length > 0) stream.write(heard.map(eventOf).join(''));
    }
  }

  return {
    streams,
    tell,
    check() {
      isCheckDue = true;
      work();
    },
  };
}
