import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Hints } from '../../../bus/hints.ts';
import type { Context } from '../../../core/context.ts';
import type { Queryable, Transaction } from '../../../db/types.ts';
import type { WakeUp } from '../../../jobs/wake-up.ts';
import {
  addUntoldAtCommit,
  deleteUntold,
  hasUntold,
  listOrgsWithUntold,
  lockUntold,
  lockUntoldOf,
  tell,
} from './store.ts';

/** With 50 people each, this takes a few milliseconds. */
const MESSAGES_AT_ONCE = 20;
/** Between two batches. A flood of messages is told slowly, and delays nobody's requests. */
const PAUSE_MS = 100;
/** A line of the bus is limited, and a thread may have any number of people. */
const PEOPLE_PER_HINT = 100;

/** A message that people may be told about. */
export interface NotableMessage {
  id: string;
  parentMessageId: string | null;
  mentionedUserIds: readonly string[];
  /** Whether an agent answers somebody with it. */
  isAnswer: boolean;
}

/**
 * Adds to the commit of a message that people have to be told about it. The rows for each person are written
 * right after it, by a worker or by whoever reads theirs first.
 */
export function notifyOfMessage(
  ctx: Pick<Context, 'orgId' | 'jobs'> & { db: Transaction },
  message: NotableMessage,
): void {
  const { parentMessageId, mentionedUserIds, isAnswer } = message;
  if (parentMessageId === null && !isAnswer && mentionedUserIds.length === 0) return;
  addUntoldAtCommit(ctx.db, ctx.orgId, message.id);
  ctx.jobs.wakeAfterCommit(ctx.db);
}

type Telling = Pick<Context, 'db' | 'orgId' | 'hints'>;

/** Everything that one person has to be told, before they look. */
export async function tellPerson(ctx: Telling, userId: string): Promise<void> {
  if (!(await hasUntold(ctx.db, ctx.orgId))) return;
  const people = await tell(ctx.db, ctx.orgId, { userId });
  if (people.length > 0) ctx.hints.announce(ctx, { type: 'notification.created', to: userId });
}

/** Everybody about one message, before it changes: an edit tells nobody. */
export async function tellOfMessage(ctx: Telling, messageId: string): Promise<void> {
  if (!(await hasUntold(ctx.db, ctx.orgId))) return;
  announce(ctx, await tell(ctx.db, ctx.orgId, { messageIds: [messageId] }));
}

/** Everybody about what was written in a session, before somebody mutes or unmutes it. */
export async function tellOfSession(ctx: Telling, sessionId: string): Promise<void> {
  const { db, hints, orgId } = ctx;
  if (!(await hasUntold(db, orgId))) return;
  const lock = (tx: Transaction) => lockUntoldOf(tx, orgId, sessionId, MESSAGES_AT_ONCE);
  while (await tellSome(db, hints, orgId, lock));
}

/** Tells people about some messages of an org. Returns whether there may be more. */
async function tellSome(
  db: Queryable,
  hints: Hints,
  orgId: string,
  lock = (tx: Transaction) => lockUntold(tx, orgId, MESSAGES_AT_ONCE),
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const messageIds = await lock(tx);
    if (messageIds.length === 0) return false;
    announce({ db: tx, hints, orgId }, await tell(tx, orgId, { messageIds }));
    await deleteUntold(tx, orgId, messageIds);
    return messageIds.length === MESSAGES_AT_ONCE;
  });
}

function announce({ hints, ...source }: Telling, people: readonly string[]): void {
  for (let at = 0; at < people.length; at += PEOPLE_PER_HINT) {
    const to = people.slice(at, at + PEOPLE_PER_HINT);
    hints.announce(source, { type: 'notification.created', to });
  }
}

/** Tells everybody about everything. Any number of processes may do so at the same time. */
export async function tellEverybody(
  db: Queryable,
  hints: Hints,
  pause: () => Promise<unknown> = async () => {},
): Promise<void> {
  let orgs = await listOrgsWithUntold(db);
  while (orgs.length > 0) {
    const withMore: string[] = [];
    for (const orgId of orgs) if (await tellSome(db, hints, orgId)) withMore.push(orgId);
    await pause();
    orgs = withMore;
  }
}

/** Tells people as soon as messages are committed, in any process. What it misses, a chore tells. */
export function startTelling(
  { db, hints, log }: { db: Queryable; hints: Hints; log: Logger },
  wakeUp: Pick<WakeUp, 'onWake'>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let isAsked = false;
  let running: Promise<void> | undefined;
  const pause = () => sleep(PAUSE_MS, undefined, { signal: stopping.signal });
  async function run(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await tellEverybody(db, hints, pause);
    }
  }
  function start(): void {
    running ??= run()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'telling people failed, will retry');
      })
      .finally(() => {
        running = undefined;
        if (isAsked) start();
      });
  }
  const unsubscribe = wakeUp.onWake(() => {
    isAsked = true;
    start();
  });
  return {
    async stop() {
      unsubscribe();
      isAsked = false;
      stopping.abort();
      await running;
    },
  };
}
