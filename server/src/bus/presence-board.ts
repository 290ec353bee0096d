import { randomUUID } from 'node:crypto';
import type { PageState, Presence } from '../core/presence.ts';
import type { Bus } from './bus.ts';
import {
  createPresentPeople,
  type OpenPages,
  type PageKey,
  type PresenceChange,
} from './present-people.ts';

export interface PresenceTiming {
  /** How long people stay as they were after their last page has gone: they may only be reloading it. */
  graceMs: number;
  aliveEveryMs: number;
  /** A process that is not heard of for this long has died, and its pages have gone. */
  forgetAfterMs: number;
  sweepEveryMs: number;
}

const TIMING: PresenceTiming = {
  graceMs: 60_000,
  aliveEveryMs: 15_000,
  forgetAfterMs: 50_000,
  sweepEveryMs: 5_000,
};

/** The limit of a line is about 7,900 bytes. */
const PAGES_PER_LINE = 50;

/** Who is there, in all processes. It is kept in memory only, and a person for a minute after they left. */
export interface PresenceBoard {
  /** A page is connected to this process. Returns a function for when it no longer is. */
  connect(page: PageKey, state: PageState): () => void;
  /** What a browser says, which holds for its pages in every org. */
  report(userId: string, browserId: string, state: PageState): void;
  of(orgId: string, userId: string): Presence;
  /** Everybody of an org who is not OFFLINE. */
  list(orgId: string): string[];
  /** Returns a function that stops listening. */
  listen(listener: (change: PresenceChange) => void): () => void;
  close(): void;
}

/** What processes tell each other. A process that may have missed lines asks, and all begin again. */
type Line =
  | { process: string; pages: OpenPages; isAll?: boolean }
  | { process: string; closed: PageKey }
  | { userId: string; browserId: string; state: PageState }
  | { alive: string }
  | { isAsking: true };

export function createPresenceBoard(bus: Bus, timing: Partial<PresenceTiming> = {}): PresenceBoard {
  const { graceMs, aliveEveryMs, forgetAfterMs, sweepEveryMs } = { ...TIMING, ...timing };
  const process = randomUUID();
  const people = createPresentPeople(graceMs);
  /** How many connections each of this process's pages has. Without locks, every tab has its own. */
  const connections = new Map<string, { page: PageKey; count: number }>();
  const heardAt = new Map<string, number>();

  const publish = (line: Line) => bus.publish('presence', JSON.stringify(line));

  function hear(line: Line): void {
    if ('isAsking' in line) return tellAll();
    if ('browserId' in line) return people.setState(line.userId, line.browserId, line.state);
    const from = 'alive' in line ? line.alive : line.process;
    // It was only slow, and its pages have been forgotten.
    if ('alive' in line && from !== process && !heardAt.has(from)) publish({ isAsking: true });
    heardAt.set(from, performance.now());
    if ('pages' in line) {
      if (line.isAll) people.forgetProcess(from);
      for (const [page, state] of line.pages) people.open(from, page, state);
    }
    if ('closed' in line) people.close(from, line.closed);
  }

  function tellAll(): void {
    const pages: OpenPages = [...connections.values()].map(({ page }) => [
      page,
      people.stateOf(process, page) ?? 'AWAY',
    ]);
    for (let at = 0; at < pages.length; at += PAGES_PER_LINE) {
      publish({ process, pages: pages.slice(at, at + PAGES_PER_LINE), isAll: at === 0 });
    }
  }

  function disconnect(key: string): void {
    const known = connections.get(key);
    if (!known || --known.count > 0) return;
    connections.delete(key);
    publish({ process, closed: known.page });
  }

  function sweep(): void {
    const oldest = performance.now() - forgetAfterMs;
    for (const [other, at] of heardAt) {
      // This process is alive, even if it was stopped for a while.
      if (other === process || at >= oldest) continue;
      heardAt.delete(other);
      people.forgetProcess(other);
    }
    people.sweep();
  }

  const stops = [
    bus.subscribe('presence', (text) => hear(JSON.parse(text) as Line)),
    bus.onGap(() => publish({ isAsking: true })),
  ];
  const timers = [
    setInterval(() => connections.size > 0 && publish({ alive: process }), aliveEveryMs).unref(),
    setInterval(sweep, sweepEveryMs).unref(),
  ];

  return {
    connect(page, state) {
      const key = page.join(' ');
      const known = connections.get(key);
      if (known) known.count++;
      else connections.set(key, { page, count: 1 });
      publish({ process, pages: [[page, state]] });
      return () => disconnect(key);
    },
    report: (userId, browserId, state) => publish({ userId, browserId, state }),
    of: people.presenceOf,
    list: people.list,
    listen: people.listen,
    close() {
      for (const stop of stops) stop();
      for (const timer of timers) clearInterval(timer);
    },
  };
}
