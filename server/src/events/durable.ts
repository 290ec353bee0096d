import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context, SystemActor } from '../core/context.ts';
import type { Queryable } from '../db/types.ts';
import { createAlarm } from '../jobs/alarm.ts';
import { backoffMs } from '../jobs/failure.ts';
import type { WakeUp } from '../jobs/wake-up.ts';
import type { EventOf, EventType, KnownAtCommit } from './list.ts';
import { claimOwed, deleteOwed, listOwing, postpone, type OwedRow } from './store.ts';

/**
 * Handles events after their commit, at least once each, whichever process dies meanwhile. Those of one record
 * come in order, one at a time. A listener that is slow or fails holds up no other listener and no other record.
 */
export interface DurableListener<T extends EventType = EventType> {
  /** Names its rows in the database, and so stays the same. */
  readonly name: string;
  /** How many events it can handle together, each of another record. Default: 1. */
  readonly atOnce?: number;
  /** After this time another process may try. Default: a minute. */
  readonly leaseMs?: number;
  /** The record that an event is about. Undefined if there is nothing to handle. */
  recordOf(event: EventOf<T>): string | undefined;
  /** If it throws, or takes longer than its lease, it gets them again, later each time. */
  handle(ctx: Context<SystemActor>, owed: readonly Owed<T>[], signal: AbortSignal): Promise<void>;
}

export interface Owed<T extends EventType = EventType> {
  recordId: string;
  event: KnownAtCommit<EventOf<T>>;
  /** Null if nobody did it, but an organisation's key or the server. */
  actorUserId: string | null;
  createdAt: Date;
}

interface Parts {
  db: Queryable;
  log: Logger;
  contextOf: (orgId: string) => Context<SystemActor>;
}

const CLAIMED_AT_ONCE = 20;
const LEASE_MS = 60_000;
/** One that is slow in an org leaves room for the others. */
const ORGS_AT_ONCE = 4;
/** Between two looks. A flood of events is handled slowly, and delays nobody's requests. */
const PAUSE_MS = 100;
/** Finds what failed, and what a process left that was killed. */
const LOOK_EVERY_MS = 5_000;

/** Handles everything that is due now. Any number of processes may do so at the same time. */
export async function handleOwed(parts: Parts, listener: DurableListener): Promise<void> {
  for (const orgId of await listOwing(parts.db, listener.name)) {
    while ((await handleSome(parts, listener, orgId)) > 0);
  }
}

/** Returns how many events it took. */
async function handleSome(
  parts: Parts,
  listener: DurableListener,
  orgId: string,
  stopping?: AbortSignal,
): Promise<number> {
  const { name, atOnce = 1, leaseMs = LEASE_MS } = listener;
  const claim = { limit: CLAIMED_AT_ONCE, leaseMs };
  const rows = await claimOwed(parts.db, orgId, name, claim);
  const leaseEnd = AbortSignal.timeout(leaseMs);
  const signal = stopping ? AbortSignal.any([stopping, leaseEnd]) : leaseEnd;
  const groups = Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, at) =>
    rows.slice(at * atOnce, (at + 1) * atOnce),
  );
  await Promise.all(groups.map((group) => handleTogether(parts, listener, orgId, group, signal)));
  return rows.length;
}

/** If some fail together, each is tried alone, so that only the record that fails has to wait. */
async function handleTogether(
  parts: Parts,
  listener: DurableListener,
  orgId: string,
  rows: readonly OwedRow[],
  signal: AbortSignal,
): Promise<void> {
  const { db, log, contextOf } = parts;
  try {
    await listener.handle(contextOf(orgId), rows as readonly (OwedRow & Owed)[], signal);
  } catch (error) {
    if (rows.length > 1) {
      for (const row of rows) await handleTogether(parts, listener, orgId, [row], signal);
      return;
    }
    const attempt = (rows[0]?.attempts ?? 0) + 1;
    log.warn({ listener: listener.name, orgId, attempt, err: error }, 'event failed, will retry');
    const byMs = backoffMs(attempt, Math.random);
    return postpone(db, orgId, listener.name, rows, { byMs, tries: 0 });
  }
  await deleteOwed(db, orgId, listener.name, rows);
}

/** Has each listener handle its events as soon as they are committed, in any process. */
export function startListeners(
  parts: Parts,
  listeners: readonly DurableListener[],
  wakeUp: Pick<WakeUp, 'onWake'>,
): { stop(): Promise<void> } {
  const running = listeners.map((listener) => startListener(parts, listener, wakeUp));
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}

function startListener(
  parts: Parts,
  listener: DurableListener,
  wakeUp: Pick<WakeUp, 'onWake'>,
): { stop(): Promise<void> } {
  const { db, log } = parts;
  const alarm = createAlarm();
  const stopping = new AbortController();
  const busy = new Map<string, Promise<void>>();
  const warn = (error: unknown) =>
    log.warn({ listener: listener.name, err: error }, 'could not handle events, will retry');

  async function serve(orgId: string): Promise<void> {
    const taken = await handleSome(parts, listener, orgId, stopping.signal);
    if (taken > 0) alarm.ring();
  }

  async function look(): Promise<void> {
    if (busy.size >= ORGS_AT_ONCE) return;
    const orgs = (await listOwing(db, listener.name)).filter((orgId) => !busy.has(orgId));
    for (const orgId of orgs.slice(0, ORGS_AT_ONCE - busy.size)) {
      const served = serve(orgId)
        .catch(warn)
        .finally(() => busy.delete(orgId));
      busy.set(orgId, served);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(warn);
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await alarm.sleep(LOOK_EVERY_MS);
    }
    await Promise.all(busy.values());
  }

  const unsubscribe = wakeUp.onWake(() => alarm.ring());
  const ended = run();
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      alarm.ring();
      await ended;
    },
  };
}
