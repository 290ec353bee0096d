import type { EventContext } from '../../core/context.ts';
import type { ChangedMessage, UpcomingOf } from '../../events/list.ts';
import { addToOutboxAtCommit, addUsersToOutbox } from './outbox/store.ts';

/**
 * In the commit that changes a message: it has to be brought up to date in the channel. New messages need no
 * such row, because whoever serves the channel finds them by their positions.
 */
export function shareChange(
  ctx: EventContext,
  { messageId, sessionId, isForChannel }: ChangedMessage,
): void {
  if (isForChannel) addToOutboxAtCommit(ctx, { id: messageId, sessionId });
}

/** Before a file is deleted: what was sent of it is deleted, too. */
export async function removeFromChannels(
  ctx: EventContext,
  { fileId }: UpcomingOf<'file.deleting'>,
): Promise<void> {
  if (await addUsersToOutbox(ctx, fileId)) ctx.jobs.wakeAfterCommit(ctx.db);
}

/** Whoever serves the connection looks at it again. */
export function wakeRelay({ jobs, db }: EventContext): void {
  jobs.wakeAfterCommit(db);
}
