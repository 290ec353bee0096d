import type { EventContext } from '../../../core/context.ts';
import type { UpcomingOf } from '../../../events/list.ts';
import { report } from '../save.ts';
import { lockTasksOf } from '../store.ts';
import { changeOf } from './service.ts';
import { deleteUse, findProjectOf, findTasksWith, markFiles } from './store.ts';

/** Before a file is deleted: the tasks that have it change like any other, one at a time. */
export async function leaveTasks(
  ctx: EventContext,
  { fileId }: UpcomingOf<'file.deleting'>,
): Promise<void> {
  const projectId = await findProjectOf(ctx, fileId);
  // What is purged was attached to nothing.
  if (projectId === undefined || ctx.actor.kind !== 'user') return;
  const { userId } = ctx.actor;
  await lockTasksOf(ctx, projectId);
  const at = ctx.clock.now();
  for (const before of await findTasksWith(ctx, fileId)) {
    const had = before.attachments.map((attachment) => attachment.fileId);
    const left = had.filter((id) => id !== fileId);
    await deleteUse(ctx, before.id, fileId);
    const after = await markFiles(ctx, before, { hasFiles: left.length > 0, at });
    if (!after) continue;
    report(ctx, { before, after, by: { userId, agent: null }, changes: [changeOf(had, left)] });
  }
}
