import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Context, SystemActor } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import type { Hints } from '../../../bus/hints.ts';
import type { ReplyLines, ReplyPlace } from '../../../bus/reply-lines.ts';
import { createReplyBoard } from '../../../bus/reply-board.ts';
import { createAlarm } from '../../../jobs/alarm.ts';
import type { WakeUp } from '../../../jobs/wake-up.ts';
import { breakConnectionFor } from '../breakage.ts';
import { findConnection } from '../connections/store.ts';
import { createPeople } from '../inbox/known-people.ts';
import { ChatFailure } from '../../../adapters/chat/provider.ts';
import { openConnection } from '../secrets.ts';
import { serveConnection } from './serve.ts';
import {
  claimConnection,
  findMappedSession,
  listUnserved,
  listServed,
  releaseConnection,
  renewConnections,
  type HeldConnection,
} from './store.ts';

export interface RelayTiming {
  leaseMs: number;
  /** How often leases are renewed, and connections looked for that nobody serves. */
  everyMs: number;
  /** The most that one call to a chat system takes. A call begins only if the lease lasts that long. */
  callMs: number;
  firstPauseMs: number;
}

/** If a process is killed, another one serves its connections within 15 s. */
const TIMING: RelayTiming = { leaseMs: 12_000, everyMs: 3_000, callMs: 8_000, firstPauseMs: 500 };
const CLAIMED_AT_ONCE = 20;
/** However often it is woken. */
const SHORTEST_PAUSE_MS = 20;

export interface RelayParts {
  db: Queryable;
  log: Logger;
  wakeUp: Pick<WakeUp, 'onWake'>;
  hints: Pick<Hints, 'listen'>;
  contextOf: (orgId: string) => Context<SystemActor>;
  replies: ReplyLines;
  timing?: Partial<RelayTiming> | undefined;
}

interface Entry extends HeldConnection {
  served: ReturnType<typeof serveConnection>;
  lease: { endsAt: number };
}

/**
 * Serves chat connections: listens to them, and passes messages on in both directions. Each connection is
 * served by one process at a time, which has a lease on it.
 */
export function startRelay(parts: RelayParts): { stop(): Promise<void> } {
  const { db, log, wakeUp, hints, contextOf, replies, timing: given } = parts;
  const timing = { ...TIMING, ...given };
  const holder = randomUUID();
  const entries = new Map<string, Entry>();
  const ending = new Map<string, Promise<void>>();
  const alarm = createAlarm();
  const stopping = new AbortController();
  let lookedAt = -Infinity;
  /** Those that this process serves. Undefined while it finds out. */
  let sessions: ReadonlySet<string> | undefined;

  const keyOf = ({ orgId, id }: Pick<HeldConnection, 'orgId' | 'id'>) => `${orgId} ${id}`;

  async function renew(): Promise<void> {
    if (entries.size === 0) return;
    const askedAt = performance.now();
    const held = new Map(
      (await renewConnections(db, holder, timing.leaseMs / 1000)).map((row) => [keyOf(row), row]),
    );
    for (const [key, entry] of entries) {
      const row = held.get(key);
      if (row) entry.lease.endsAt = askedAt + timing.leaseMs;
      if (row && !row.isBroken && row.version === entry.version) continue;
      end(key, entry);
    }
    for (const [key, row] of held) {
      // It was claimed, and then could not be read.
      if (!entries.has(key) && !ending.has(key)) await releaseConnection(db, row, holder);
    }
  }

  /** The others go on meanwhile. */
  function end(key: string, entry: Entry): void {
    entries.delete(key);
    const ended = (async () => {
      await entry.served.stop();
      await releaseConnection(db, entry, holder);
      alarm.ring();
    })();
    const logged = ended.catch((error: unknown) =>
      log.warn({ err: error }, 'could not release a chat connection, its lease will end'),
    );
    ending.set(key, logged);
    void logged.finally(() => ending.delete(key));
  }

  async function claim(): Promise<void> {
    for (const unserved of await listUnserved(db, CLAIMED_AT_ONCE)) {
      const askedAt = performance.now();
      const held = await claimConnection(db, unserved, holder, timing.leaseMs / 1000);
      if (held) await serve(held, { endsAt: askedAt + timing.leaseMs });
    }
  }

  async function serve(held: HeldConnection, lease: { endsAt: number }): Promise<void> {
    const ctx = contextOf(held.orgId);
    const connection = await findConnection({ db, orgId: held.orgId }, held.id);
    if (!connection) return;
    const stop = new AbortController();
    const { signal } = stop;
    function callSignal(): AbortSignal {
      signal.throwIfAborted();
      if (lease.endsAt - performance.now() < timing.callMs) {
        throw new ChatFailure('temporary', 'the lease on this connection is about to end');
      }
      return AbortSignal.any([signal, AbortSignal.timeout(timing.callMs)]);
    }
    try {
      const provider = openConnection(ctx, connection);
      const { firstPauseMs } = timing;
      const parts = { connection, provider, people: createPeople(), firstPauseMs };
      const served = serveConnection({ ...ctx, ...parts, callSignal, signal }, stop);
      entries.set(keyOf(held), { ...held, served, lease });
    } catch (error) {
      if (!(error instanceof ChatFailure)) throw error;
      await breakConnectionFor(ctx, connection, error.message);
    }
  }

  /** A lease that could not be renewed belongs to somebody else soon. */
  function dropLapsed(): void {
    for (const [key, entry] of entries) {
      if (entry.lease.endsAt <= performance.now()) end(key, entry);
    }
  }

  async function look(): Promise<void> {
    if (performance.now() - lookedAt >= timing.everyMs) {
      lookedAt = performance.now();
      await renew();
      await claim();
    }
    const mappings = entries.size === 0 ? [] : await listServed(db, holder);
    sessions = new Set(mappings.map(({ orgId, sessionId }) => keyOf({ orgId, id: sessionId })));
    for (const { orgId, connectionId, mappingId, isWaiting } of mappings) {
      const entry = entries.get(keyOf({ orgId, id: connectionId }));
      if (isWaiting) entry?.served.wake(mappingId);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      sessions = undefined;
      await look().catch((error: unknown) => {
        log.warn({ err: error }, 'could not renew or claim chat connections, will retry');
        dropLapsed();
      });
      await new Promise((resolve) => setTimeout(resolve, SHORTEST_PAUSE_MS));
      const restMs = lookedAt + timing.everyMs - performance.now();
      if (!stopping.signal.aborted) await alarm.sleep(Math.max(0, restMs));
    }
  }

  /** The first line of a reply tells where it is shown. After that, the channel reads what there is. */
  async function show(place: ReplyPlace): Promise<void> {
    if (![...entries.values()].some(({ orgId }) => orgId === place.orgId)) return;
    const mapping = await findMappedSession({ db, orgId: place.orgId }, place.sessionId);
    if (!mapping) return;
    const entry = entries.get(keyOf({ orgId: place.orgId, id: mapping.connectionId }));
    entry?.served.show(mapping.id, { place, read: () => board.find(place)?.text, sentText: '' });
  }

  const board = createReplyBoard(replies, ({ type, place }) => {
    if (type !== 'reply.started' && type !== 'reply.restarted') return;
    show(place).catch((error: unknown) => log.warn({ err: error }, 'could not show a reply'));
  });
  const stops = [
    wakeUp.onWake(() => alarm.ring()),
    hints.listen({
      onHint({ orgId, hint }) {
        if (hint.type !== 'message.created' && hint.type !== 'message.updated') return;
        if (sessions?.has(keyOf({ orgId, id: hint.sessionId })) !== false) alarm.ring();
      },
      onRecheck: () => {},
      onGap: () => alarm.ring(),
    }),
  ];
  const running = run();
  return {
    async stop() {
      stopping.abort();
      for (const stop of stops) stop();
      board.close();
      alarm.ring();
      await running;
      for (const [key, entry] of entries) end(key, entry);
      await Promise.all(ending.values());
    },
  };
}
