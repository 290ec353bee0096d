import type { Queryable } from '../db/types.ts';
import type { Bus } from './bus.ts';

/**
 * Tells open pages what changed, by type and ids; `resync` means: load everything again. It goes to the
 * members of the Project it names, or of the org, and only to the people in `to` if that is set.
 */
export type Hint =
  | ({ type: 'message.created' } & InHint & NewMessage)
  /** Without `change`, it is something else than what the message says, such as a reaction. */
  | ({ type: 'message.updated'; change?: MessageChange } & InHint)
  | { type: 'session.created' | 'session.updated'; projectId: string; sessionId: string }
  /** Without a count, what the person chose for the session has changed. */
  | { type: 'session.read'; projectId: string; sessionId: string; to: string; unreadCount?: number }
  | { type: 'kept.changed'; to: string }
  | { type: 'notification.created'; to: string | readonly string[] }
  | { type: 'notification.read'; to: string }
  /** Somebody is writing there. It goes to other people's pages only. */
  | { type: 'session.typing'; projectId: string; sessionId: string; userId: string }
  | { type: 'project.created' | 'project.updated'; projectId: string }
  | { type: 'task.created' | 'task.updated'; projectId: string; taskId: string }
  | { type: 'file.updated'; projectId: string; fileId: string; to?: readonly string[] }
  | { type: 'memory.changed'; memoryId: string; projectId?: string; to?: string }
  /** Without an id: not everyone in the org may know of each agent. */
  | { type: 'agent.updated' }
  | { type: 'org.updated' }
  /** What they say about themselves. */
  | { type: 'member.updated'; userId: string }
  | { type: 'resync'; to?: string };

/** BRANCHED: from this message on, the list is another. */
export type MessageChange = 'EDITED' | 'DELETED' | 'BRANCHED';

interface InHint {
  projectId: string;
  sessionId: string;
  messageId: string;
}

/** Enough for a page to count the message without reading it. */
interface NewMessage {
  parentMessageId: string | null;
  authorUserId: string | null;
  mentionedUserIds: readonly string[];
  createdAt: string;
}

export interface AnnouncedHint {
  orgId: string;
  hint: Hint;
}

export interface Hints {
  /** For a listener of events, after the commit. */
  send(orgId: string, hint: Hint): void;
  /** Checks the person's streams again, in every org, because a session has ended. */
  recheck(source: { db: Queryable }, userId: string): void;
  /** Hears the hints of every process. Returns a function that stops listening. */
  listen(listener: HintListener): () => void;
}

/** For the features that pass hints on to pages, and changes on to chat channels. */
export interface HintListener {
  onHint(announced: AnnouncedHint): void;
  onRecheck(userId: string): void;
  /** Hints may have been missed, in any org. */
  onGap(): void;
}

type Line = AnnouncedHint | { recheck: string };

export function createHints(bus: Bus): Hints {
  const publish = (line: Line) => bus.publish('live', JSON.stringify(line));
  return {
    send: (orgId, hint) => publish({ orgId, hint }),
    recheck: ({ db }, userId) => db.afterCommit(() => publish({ recheck: userId })),
    listen: (listener) => listenForHints(bus, listener),
  };
}

/** Returns a function that stops listening. */
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
