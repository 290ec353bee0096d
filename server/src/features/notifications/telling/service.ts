import type { EventContext } from '../../../core/context.ts';
import { emit, type AnyContext } from '../../../events/emit.ts';
import type { UpcomingOf } from '../../../events/list.ts';
import { oweAtCommit } from '../../../events/store.ts';
import type { Queryable } from '../../../db/types.ts';
import {
  deleteUntold,
  hasUntold,
  LISTENER,
  listOrgsWithOldUntold,
  lockUntoldOf,
  takeOldUntold,
  tell,
} from './store.ts';

/** With 50 people each, this takes a few milliseconds. */
export const MESSAGES_AT_ONCE = 20;
/** A line of the bus is limited, and a thread may have any number of people. */
const PEOPLE_PER_HINT = 100;

/** Everybody about these messages, as far as they have not been told. */
export async function tellOf(
  ctx: AnyContext,
  messageIds: readonly string[],
  present = ctx.presence.list(ctx.orgId),
): Promise<void> {
  const people = await tell(ctx.db, ctx.orgId, { messageIds, present });
  for (let at = 0; at < people.length; at += PEOPLE_PER_HINT) {
    emit(ctx, { type: 'notification.created', to: people.slice(at, at + PEOPLE_PER_HINT) });
  }
}

/** Everything that one person has to be told, before they look. */
export async function tellPerson(ctx: AnyContext, userId: string): Promise<void> {
  if (!(await hasUntold(ctx))) return;
  const isPresent = ctx.presence.of(ctx.orgId, userId) !== 'OFFLINE';
  const people = await tell(ctx.db, ctx.orgId, { userId, present: isPresent ? [userId] : [] });
  if (people.length > 0) emit(ctx, { type: 'notification.created', to: userId });
}

/** Everybody about one message, before it changes: an edit tells nobody. */
export async function tellBeforeEdit(
  ctx: EventContext,
  { messageId }: UpcomingOf<'message.editing'>,
): Promise<void> {
  if (!(await hasUntold(ctx))) return;
  await tellOf(ctx, [messageId]);
  await deleteUntold(ctx, [messageId]);
}

/** Everybody about what was written in a session, before somebody mutes or unmutes it. */
export async function tellBeforeMute(
  ctx: AnyContext,
  { sessionId }: UpcomingOf<'session.muting'>,
): Promise<void> {
  if (!(await hasUntold(ctx))) return;
  while (await tellSomeOf(ctx, sessionId));
}

/** Returns whether there may be more. */
function tellSomeOf(ctx: AnyContext, sessionId: string): Promise<boolean> {
  const { orgId } = ctx;
  return ctx.db.transaction(async (tx) => {
    const messageIds = await lockUntoldOf(tx, orgId, sessionId, MESSAGES_AT_ONCE);
    if (messageIds.length === 0) return false;
    await tellOf({ ...ctx, db: tx }, messageIds);
    await deleteUntold({ db: tx, orgId }, messageIds);
    return messageIds.length === MESSAGES_AT_ONCE;
  });
}

/** A chore: what processes of the last release leave while this one is installed. */
export async function adoptUntold(db: Queryable): Promise<number> {
  let adopted = 0;
  for (const orgId of await listOrgsWithOldUntold(db)) {
    await db.transaction(async (tx) => {
      const messageIds = await takeOldUntold(tx, orgId);
      for (const recordId of messageIds) {
        oweAtCommit(tx, orgId, { listener: LISTENER, recordId, event: {}, actorUserId: null });
      }
      adopted += messageIds.length;
    });
  }
  return adopted;
}
