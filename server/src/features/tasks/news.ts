import { isClosed } from './status.ts';
import type { TaskRow } from './store.ts';

/** The one person whom a change to a task concerns, and why. `before` is undefined for a new task. */
export function newsOf(
  before: TaskRow | undefined,
  after: TaskRow,
): { kind: 'TASK_ASSIGNED' | 'TASK_FINISHED'; userId: string } | undefined {
  if (after.status === 'DONE' && before?.status !== 'DONE') {
    return { kind: 'TASK_FINISHED', userId: after.createdById };
  }
  // A proposal is nobody's work until a person accepts it, and a closed task is nobody's any more.
  if (after.assigneeUserId === null || after.status === 'PROPOSED' || isClosed(after.status)) {
    return undefined;
  }
  const isNew = before?.assigneeUserId !== after.assigneeUserId || before.status === 'PROPOSED';
  return isNew ? { kind: 'TASK_ASSIGNED', userId: after.assigneeUserId } : undefined;
}
