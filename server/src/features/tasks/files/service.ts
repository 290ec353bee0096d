import { isDeepStrictEqual } from 'node:util';
import type { UserContext } from '../../../core/context.ts';
import { replaceFilesOfTask } from '../../files/attaching/service.ts';
import { requireLiveTask, versionConflict } from '../policy.ts';
import { doerOf, report } from '../save.ts';
import type { SetTaskFiles, TaskPath } from '../schema.ts';
import { withLockedTask } from '../service.ts';
import type { TaskRow } from '../store.ts';
import { markFiles } from './store.ts';

/** In place of what it has. The same files again change nothing. */
export function setTaskFiles(
  ctx: UserContext,
  path: TaskPath,
  { fileIds }: SetTaskFiles,
): Promise<TaskRow> {
  return withLockedTask(ctx, path, async (inner, task) => {
    requireLiveTask(task);
    const before = task.attachments.map(({ fileId }) => fileId);
    if (isDeepStrictEqual(before, fileIds)) return task;
    await replaceFilesOfTask(inner, path, { before, fileIds });
    const at = ctx.clock.now();
    const after = await markFiles(inner, task, { hasFiles: fileIds.length > 0, at });
    if (!after) throw versionConflict(task);
    report(inner, {
      before: task,
      after,
      by: doerOf(ctx, null),
      changes: [changeOf(before, fileIds)],
    });
    return after;
  });
}

/** By their ids: their names are only for those who may still read them. */
export function changeOf(from: readonly string[], to: readonly string[]) {
  return { field: 'fileIds', from, to };
}
