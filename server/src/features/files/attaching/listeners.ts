import type { EventContext } from '../../../core/context.ts';
import type { EventOf, UpcomingOf } from '../../../events/list.ts';
import { lockToDelete, raisingShown, type Shown } from './store.ts';

/** In the commit that changes a file: what has it shows it otherwise. */
export function showFileChange(
  ctx: EventContext,
  { fileId }: EventOf<'file.checked' | 'file.updated'>,
): void {
  const [lock, raise, find] = raisingShown(ctx.orgId, fileId);
  ctx.db.atCommit(lock.text, lock.values, { order: 'last' });
  ctx.db.atCommit(raise.text, raise.values, { order: 'last' });
  ctx.db.atCommit(find.text, find.values, {
    order: 'last',
    returned: (rows) => hintAt(ctx, rows as Shown[]),
  });
}

/** Before it is deleted. What has it is no longer known afterwards. */
export async function leaveMessages(
  ctx: EventContext,
  { fileId }: UpcomingOf<'file.deleting'>,
): Promise<void> {
  await lockToDelete(ctx, fileId);
  const [lock, raise, find] = raisingShown(ctx.orgId, fileId);
  const [, , shown] = await Promise.all([
    ctx.db.query(lock.text, lock.values),
    ctx.db.query(raise.text, raise.values),
    ctx.db.query<Shown>(find.text, find.values),
  ]);
  ctx.db.afterCommit(() => hintAt(ctx, shown));
}

/** Open pages of those who read the message or the task. */
function hintAt({ hints, orgId }: EventContext, shown: readonly Shown[]): void {
  for (const { projectId, sessionId, messageId, taskId } of shown) {
    if (sessionId !== null && messageId !== null) {
      hints.send(orgId, { type: 'message.updated', projectId, sessionId, messageId });
    }
    if (taskId !== null) hints.send(orgId, { type: 'task.updated', projectId, taskId });
  }
}
