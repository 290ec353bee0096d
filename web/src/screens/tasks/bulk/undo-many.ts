import type { Task, UpdateTasks } from '@atrium/sdk';

export type Change = UpdateTasks['changes'][number];

/** A task before it was changed, as it is now, and where it was in its column. */
export interface Changed {
  before: Task;
  after: Task;
  wasAfterTaskId: string | null;
}

/** The fields that can be changed for many tasks at once. */
const FIELDS = [
  'status',
  'priority',
  'assigneeUserId',
  'assigneeAgent',
  'dueOn',
  'labels',
] as const satisfies readonly (keyof Task & keyof Change)[];

/**
 * What takes the changes back. Each is based on the version that the change made, so that what others have
 * changed since is not overwritten. A task that stood below another one that moved comes after it.
 */
export function toUndo(changed: readonly Changed[]): Change[] {
  return inPlaceOrder(changed).map(({ before, after, wasAfterTaskId }) => {
    const isMoved = before.status !== after.status;
    const fields = FIELDS.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    return {
      taskId: before.id,
      version: after.version,
      ...(Object.fromEntries(fields.map((name) => [name, before[name]])) as Partial<Change>),
      ...(isMoved && { afterTaskId: wasAfterTaskId }),
      ...(before.archivedAt === null && after.archivedAt !== null && { archived: false }),
    };
  });
}

function inPlaceOrder(changed: readonly Changed[]): Changed[] {
  const left = new Map(changed.map((one) => [one.before.id, one]));
  const ordered: Changed[] = [];
  const take = (one: Changed) => {
    left.delete(one.before.id);
    const above = one.wasAfterTaskId === null ? undefined : left.get(one.wasAfterTaskId);
    if (above) take(above);
    ordered.push(one);
  };
  for (const one of changed) if (left.has(one.before.id)) take(one);
  return ordered;
}

/** The same without places, for those whose neighbour has moved meanwhile. */
export function withoutPlace(change: Change): Change {
  const { afterTaskId, ...rest } = change;
  return afterTaskId === undefined ? change : rest;
}
