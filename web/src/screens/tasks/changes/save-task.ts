import { AtriumError, type Atrium, type Task, type UpdateTask } from '@atrium/sdk';

export type TaskChanges = Omit<UpdateTask, 'version'>;

/** The current record, if the change was refused because it was based on an older one. */
export function newestIn(error: unknown): Task | undefined {
  if (!(error instanceof AtriumError) || error.reason !== 'version_conflict') return undefined;
  return error.details['task'] as Task;
}

/**
 * Changes a task as the person saw it (`base`). If others changed it meanwhile, but not these fields,
 * nothing of theirs is lost and the change is sent again.
 */
export async function saveTask(client: Atrium, base: Task, changes: TaskChanges): Promise<Task> {
  const send = async (version: number) =>
    client.tasks.update(base.projectId, base.id, { ...changes, version });
  try {
    return await send(base.version);
  } catch (error) {
    const newest = newestIn(error);
    if (!newest || differs(base, newest, changes)) throw error;
    return send(newest.version);
  }
}

function differs(base: Task, newest: Task, changes: TaskChanges): boolean {
  return Object.keys(changes).some((name) => {
    const field = name as keyof Task;
    return JSON.stringify(base[field]) !== JSON.stringify(newest[field]);
  });
}
