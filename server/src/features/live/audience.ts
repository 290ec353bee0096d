import type { Logger } from 'pino';
import type { Hint } from '../../bus/hints.ts';
import type { Presence } from '../../core/presence.ts';
import type { Queryable } from '../../db/types.ts';
import { isReader } from '../../access/readable.ts';
import { findSharers } from '../../access/sharing.ts';
import {
  eventOf,
  mayHear,
  presenceEvent,
  projectOf,
  replyEventFor,
  sessionOf,
  startedEvent,
  type Cursors,
  type EventStream,
  type Notice,
  type StreamAccess,
} from './event-stream.ts';
import type { ReplyBoard } from '../../bus/reply-board.ts';
import { findOnlyReaders, findStandings } from './store.ts';

/** More notices than this at once become one `resync`: the pages reload everything. */
const MOST_WAITING = 500;
const TRY_AGAIN_MS = 1_000;
/** Parts of replies come ten times a second each, so their readers' rights are read again only after this. */
const RIGHTS_MAX_AGE_MS = 5_000;
/** Who comes and goes is collected, and told of this many people at a time. */
const PRESENCE_EVERY_MS = 300;
const MOST_PEOPLE = 100;
const RESYNC: Hint = { type: 'resync' };

/** The open streams of one org. */
export interface Audience {
  readonly size: number;
  /** Returns a function that takes the stream out. */
  add(stream: EventStream): () => void;
  streams(): EventStream[];
  tell(notice: Notice): void;
  /** Goes to those who share a Project with the person. */
  tellPresence(userId: string, presence: Presence): void;
  /** Ends the streams of people who may no longer read, even if there are no notices. */
  check(): void;
}

interface Reader {
  /** It has not been told which replies are being written. */
  isNew: boolean;
  cursors: Cursors;
}

/** Who may read what, for a while. */
interface Rights {
  readAt: number;
  projects: Set<string>;
  sessions: Set<string>;
  byCredential: Map<string, string[]>;
  onlyReaders: Map<string, string[] | null>;
}

/**
 * Passes notices on to the people who may see them. Notices that arrive during one lookup share the next
 * one. A lookup also ends the streams of people who are signed out or no longer in the org.
 */
export function createAudience(
  db: Queryable,
  log: Logger,
  orgId: string,
  board: ReplyBoard,
): Audience {
  const readers = new Map<EventStream, Reader>();
  /** Keyed by what they say, because saying the same thing once is enough. */
  let waiting = new Map<string, Notice>();
  const presences = new Map<string, Presence>();
  let presenceTimer: NodeJS.Timeout | undefined;
  let isCheckDue = false;
  let isWorking = false;
  let rights: Rights | undefined;

  function tell(notice: Notice): void {
    if (readers.size === 0) return;
    if (waiting.size >= MOST_WAITING) waiting = new Map([['', RESYNC]]);
    waiting.set(nameOf(notice), notice);
    work();
  }

  function tellPresence(userId: string, presence: Presence): void {
    if (readers.size === 0) return;
    presences.set(userId, presence);
    schedulePresences();
  }

  async function passOnPresences(): Promise<void> {
    const people = [...presences].slice(0, MOST_PEOPLE);
    for (const [userId] of people) presences.delete(userId);
    // Of one session only, or of a key: they show nobody's presence.
    const present = [...readers.keys()].filter(({ state }) => state);
    try {
      const listeners = [...new Set(present.map(({ userId }) => userId))];
      const changed = people.map(([userId]) => userId);
      const sharers = await findSharers(db, orgId, listeners, changed);
      for (const stream of present) {
        const shared = sharers.get(stream.userId);
        // Whoever reads it is there, so that nobody is told about themselves.
        const heard = people.filter(([id]) => id !== stream.userId && shared?.has(id));
        if (heard.length > 0 && readers.has(stream)) stream.write(presenceEvent(heard));
      }
    } catch (error) {
      log.warn({ err: error, orgId }, 'could not tell who is there, will retry');
      for (const [userId, presence] of people) {
        if (!presences.has(userId)) presences.set(userId, presence);
      }
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS).unref());
    }
    presenceTimer = undefined;
    if (presences.size > 0) schedulePresences();
  }

  function schedulePresences(): void {
    presenceTimer ??= setTimeout(() => void passOnPresences(), PRESENCE_EVERY_MS).unref();
  }

  function check(): void {
    isCheckDue = true;
    work();
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    // Hints of one commit or notification arrive in one turn of the event loop, so wait for all of them.
    setImmediate(() => void passOn());
  }

  async function passOn(): Promise<void> {
    while (readers.size > 0 && (waiting.size > 0 || isCheckDue)) {
      const notices = [...waiting.values()];
      if (isCheckDue) rights = undefined;
      isCheckDue = false;
      waiting.clear();
      // A stream that opens during the lookup starts with a resync and lists everything committed until then.
      const present = [...readers];
      try {
        await deliver(notices, present);
      } catch (error) {
        // Nothing is sent unchecked. After a failure a resync replaces the individual notices.
        log.warn({ err: error, orgId }, 'could not deliver live hints, will retry');
        waiting = new Map([['', RESYNC]]);
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS).unref());
      }
    }
    isWorking = false;
  }

  async function deliver(
    notices: readonly Notice[],
    present: readonly [EventStream, Reader][],
  ): Promise<void> {
    const { byCredential, onlyReaders } = await readRights(notices, present);
    for (const [stream, reader] of present) {
      const { credentialId, userId, room } = stream;
      const projectIds = byCredential.get(credentialId);
      const mayRead = (sessionId: string) => isReader(onlyReaders.get(sessionId), userId);
      const isInRoom = !room || (projectIds?.includes(room.projectId) && mayRead(room.sessionId));
      if (!projectIds || !isInRoom) {
        stream.end();
        continue;
      }
      const text = textFor(notices, stream, reader, { projectIds, mayRead });
      if (text !== '') stream.write(text);
    }
  }

  function textFor(
    notices: readonly Notice[],
    stream: EventStream,
    reader: Reader,
    access: StreamAccess,
  ): string {
    const heard = notices.filter((notice) => mayHear(notice, stream, access));
    if (heard.some(({ type }) => type === 'resync')) reader.isNew = true;
    const hints = heard.map((notice) => ('place' in notice ? '' : eventOf(notice)));
    const replies = reader.isNew ? startAll(stream, reader, access) : [];
    for (const notice of heard) {
      if ('place' in notice) replies.push(replyEventFor(notice, reader.cursors, board));
    }
    return [...hints, ...replies].join('');
  }

  function startAll(stream: EventStream, reader: Reader, access: StreamAccess): string[] {
    reader.isNew = false;
    reader.cursors.clear();
    return board
      .list(orgId)
      .filter((reply) => mayHear({ ...reply, type: 'reply.started' }, stream, access))
      .map((reply) => startedEvent(reply, reader.cursors));
  }

  async function readRights(
    notices: readonly Notice[],
    present: readonly [EventStream, Reader][],
  ): Promise<Rights> {
    const rooms = present.flatMap(([{ room }]) => room ?? []);
    const about: Notice[] = [
      ...notices,
      ...board.list(orgId).map((reply) => ({ ...reply, type: 'reply.started' as const })),
    ];
    const projects = new Set([
      ...rooms.map(({ projectId }) => projectId),
      ...about.flatMap((notice) => projectOf(notice) ?? []),
    ]);
    const sessions = new Set([
      ...rooms.map(({ sessionId }) => sessionId),
      ...about.flatMap((notice) => sessionOf(notice) ?? []),
    ]);
    const isEnough =
      rights !== undefined &&
      performance.now() - rights.readAt < RIGHTS_MAX_AGE_MS &&
      notices.every((notice) => 'place' in notice) &&
      projects.isSubsetOf(rights.projects) &&
      sessions.isSubsetOf(rights.sessions);
    if (isEnough && rights) return rights;
    const readAt = performance.now();
    const credentials = [...new Set(present.map(([{ credentialId }]) => credentialId))];
    const [standings, onlyReaders] = await Promise.all([
      findStandings(db, orgId, credentials, [...projects]),
      findOnlyReaders(db, orgId, [...sessions]),
    ]);
    const byCredential = new Map(standings.map((row) => [row.credentialId, row.projectIds]));
    return (rights = { readAt, projects, sessions, byCredential, onlyReaders });
  }

  return {
    get size() {
      return readers.size;
    },
    streams: () => [...readers.keys()],
    add(stream) {
      readers.set(stream, { isNew: true, cursors: new Map() });
      stream.write(eventOf(RESYNC));
      // The person may have lost the right to read before the stream was registered.
      check();
      return () => void readers.delete(stream);
    },
    tell,
    tellPresence,
    check,
  };
}

function nameOf(notice: Notice): string {
  if (!('place' in notice)) return JSON.stringify(notice);
  return `${notice.run} ${notice.type} ${notice.seq}`;
}
