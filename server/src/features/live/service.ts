import type { Logger } from 'pino';
import type { Bus } from '../../bus/bus.ts';
import { listenForHints } from '../../bus/hints.ts';
import type { PresenceBoard } from '../../bus/presence-board.ts';
import type { Queryable } from '../../db/types.ts';
import { createReplyLines } from '../../bus/reply-lines.ts';
import { createAudience, type Audience } from './audience.ts';
import type { EventStream } from './event-stream.ts';
import { createReplyBoard } from '../../bus/reply-board.ts';

export interface LiveTiming {
  pingEveryMs: number;
  /** How long a stream stays open at most after its person was signed out or removed, if no hint says so. */
  checkEveryMs: number;
}

const TIMING: LiveTiming = { pingEveryMs: 15_000, checkEveryMs: 30_000 };
/** Per process. A browser needs one for all its tabs. */
const MOST_STREAMS = 20;

/** All streams of this process. */
export interface Live {
  /** Returns a function that ends the stream. The first event is `resync`, then come the replies under way. */
  join(stream: EventStream): () => void;
  /** Ends every stream, including new ones, so that pages connect to another process. */
  close(): void;
}

export interface LiveParts {
  db: Queryable;
  bus: Bus;
  presence: PresenceBoard;
  log: Logger;
  timing?: Partial<LiveTiming> | undefined;
}

export function startLive({ db, bus, presence, log, timing }: LiveParts): Live {
  const { pingEveryMs, checkEveryMs } = { ...TIMING, ...timing };
  const audiences = new Map<string, Audience>();
  let isClosed = false;

  const streams = () => [...audiences.values()].flatMap((audience) => audience.streams());
  const board = createReplyBoard(createReplyLines(bus), (event) =>
    audiences.get(event.place.orgId)?.tell(event),
  );

  const stopListening = listenForHints(bus, {
    onHint: ({ orgId, hint }) => audiences.get(orgId)?.tell(hint),
    onGap() {
      for (const audience of audiences.values()) audience.tell({ type: 'resync' });
    },
    onRecheck(userId) {
      for (const stream of streams()) {
        if (stream.userId === userId) audiences.get(stream.orgId)?.check();
      }
    },
  });
  const stopPresence = presence.listen(({ orgId, ...change }) =>
    audiences.get(orgId)?.tellPresence(change.userId, change.presence),
  );
  const ping = setInterval(() => {
    for (const stream of streams()) stream.write(': ping\n\n');
  }, pingEveryMs);
  const check = setInterval(() => {
    for (const audience of audiences.values()) audience.check();
  }, checkEveryMs);
  for (const timer of [ping, check]) timer.unref();

  function join(stream: EventStream): () => void {
    const { orgId, userId, credentialId, state } = stream;
    const audience = audiences.get(orgId) ?? createAudience(db, log, orgId, board);
    audiences.set(orgId, audience);
    const own = streams().filter((other) => other.userId === userId);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - MOST_STREAMS))) oldest.end();
    const leave = audience.add(stream);
    const hide = state && presence.connect([orgId, userId, credentialId], state);
    if (isClosed) stream.end();
    return () => {
      leave();
      hide?.();
      if (audience.size === 0 && audiences.get(orgId) === audience) audiences.delete(orgId);
    };
  }

  return {
    join,
    close() {
      isClosed = true;
      stopListening();
      stopPresence();
      board.close();
      clearInterval(ping);
      clearInterval(check);
      for (const stream of streams()) stream.end();
    },
  };
}
