import type { Logger } from 'pino';
import type { Bus } from '../../bus/bus.ts';
import { listenForHints } from '../../bus/hints.ts';
import type { Queryable } from '../../db/types.ts';
import { createAudience, type Audience } from './audience.ts';
import { eventOf, type Reader } from './reader.ts';

export interface LiveTiming {
  pingEveryMs: number;
  /** How long a stream stays open at most after its reader was signed out or removed, if no hint says so. */
  checkEveryMs: number;
}

const TIMING: LiveTiming = { pingEveryMs: 15_000, checkEveryMs: 30_000 };
/** Per process. A browser needs one for all its tabs. */
const MOST_STREAMS = 20;

/** All streams of this process. */
export interface Live {
  /** Returns a function that ends the stream. The first event is `resync`. */
  join(reader: Reader): () => void;
  /** Ends every stream, including new ones, so that pages connect to another process. */
  close(): void;
}

export interface LiveParts {
  db: Queryable;
  bus: Bus;
  log: Logger;
  timing?: Partial<LiveTiming> | undefined;
}

export function startLive({ db, bus, log, timing }: LiveParts): Live {
  const { pingEveryMs, checkEveryMs } = { ...TIMING, ...timing };
  const audiences = new Map<string, Audience>();
  let isClosed = false;

  const readers = () => [...audiences.values()].flatMap((audience) => [...audience.readers]);

  const stopListening = listenForHints(bus, {
    onHint: ({ orgId, hint }) => audiences.get(orgId)?.tell(hint),
    onGap() {
      for (const audience of audiences.values()) audience.tell({ type: 'resync' });
    },
    onRecheck(userId) {
      for (const reader of readers()) {
        if (reader.userId === userId) audiences.get(reader.orgId)?.check();
      }
    },
  });
  const ping = setInterval(() => {
    for (const reader of readers()) reader.write(': ping\n\n');
  }, pingEveryMs);
  const check = setInterval(() => {
    for (const audience of audiences.values()) audience.check();
  }, checkEveryMs);
  for (const timer of [ping, check]) timer.unref();

  function join(reader: Reader): () => void {
    const { orgId, userId } = reader;
    const audience = audiences.get(orgId) ?? createAudience(db, log, orgId);
    audiences.set(orgId, audience);
    const own = readers().filter((other) => other.userId === userId);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - MOST_STREAMS))) oldest.end();
    audience.readers.add(reader);
    reader.write(eventOf({ type: 'resync' }));
    // The reader may have lost the right to read before the stream was registered.
    audience.check();
    if (isClosed) reader.end();
    return () => {
      audience.readers.delete(reader);
      if (audience.readers.size === 0 && audiences.get(orgId) === audience) audiences.delete(orgId);
    };
  }

  return {
    join,
    close() {
      isClosed = true;
      stopListening();
      clearInterval(ping);
      clearInterval(check);
      for (const reader of readers()) reader.end();
    },
  };
}
