import type { UserContext } from '../../core/context.ts';
import { mayShow } from '../files/attaching/service.ts';
import { getProject } from '../projects/service.ts';
import type { Task } from './schema.ts';

/** Whether the caller may see these tasks again as they were: they may read the Project, and the files. */
export async function mayShowTasks(
  ctx: UserContext,
  projectId: string,
  // A response that an older version stored has no files.
  shown: readonly Partial<Pick<Task, 'attachments'>>[],
): Promise<boolean> {
  await getProject(ctx, projectId);
  const attachments = shown.flatMap((task) => task.attachments ?? []);
  return mayShow(ctx, { projectId }, attachments);
}
