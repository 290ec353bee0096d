import type { Queryable } from '../db/types.ts';
import type { Bus } from './bus.ts';

/**
 * What changed, by name and ids, for the pages that people have open. `resync` names nothing: list again.
 * Who gets it: the members of the Project that it names, or of the org, and of those only `to`, if that is set.
 */
export type Hint =
  | {
      type: 'message.created' | 'message.updated';
      projectId: string;
      sessionId: string;
      messageId: string;
    }
  | { type: 'session.created' | 'session.updated'; projectId: string; sessionId: string }
  | { type: 'session.read'; projectId: string; sessionId: string; to: string }
  | { type: 'project.created' | 'project.updated'; projectId: string }
  | { type: 'memory.changed'; memoryId: string; projectId?: string; to?: string }
  | { type: 'org.updated' }
  | { type: 'resync'; to?: string };

export interface AnnouncedHint {
  orgId: string;
  hint: Hint;
}

/** In which org something changed, and in which transaction. */
interface Place {
  db: Queryable;
  orgId: string;
}

export interface Hints {
  /** Tells everybody, once what was changed is committed. */
  announce(place: Place, hint: Hint): void;
  /** The person's streams are to be looked at again, in every org: a session has ended. */
  recheck(place: Pick<Place, 'db'>, userId: string): void;
}

/** The receiving side: for the one feature that passes hints on. */
export interface HintListener {
  onHint(announced: AnnouncedHint): void;
  onRecheck(userId: string): void;
  /** Hints may have been missed, in any org. */
  onGap(): void;
}

type Line = AnnouncedHint | { recheck: string };

export function createHints(bus: Bus): Hints {
  const say = (line: Line) => bus.publish('live', JSON.stringify(line));
  return {
    announce: ({ db, orgId }, hint) => db.afterCommit(() => say({ orgId, hint })),
    recheck: ({ db }, userId) => db.afterCommit(() => say({ recheck: userId })),
  };
}

/** Returns how to stop listening. */
export function listenForHints(bus: Bus, listener: HintListener): () => void {
  const stops = [
    bus.onGap(() => listener.onGap()),
    bus.subscribe('live', (text) => {
      const line = JSON.parse(text) as Line;
      if ('recheck' in line) listener.onRecheck(line.recheck);
      else listener.onHint(line);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
