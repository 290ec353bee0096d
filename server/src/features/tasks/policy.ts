import { conflict, forbidden, type FieldError } from '../../core/errors.ts';
import { presentTask } from './present.ts';
import { AGENT_STATUSES, isClosed, type Status } from './status.ts';
import type { Relations, TaskFields, TaskRow } from './store.ts';

export function requireLiveTask(task: TaskRow): void {
  if (task.archivedAt === null) return;
  throw conflict('task_archived', 'This task is archived. Restore it to change it.');
}

export function requireVersion(task: TaskRow, version: number | undefined): void {
  if (version !== undefined && version !== task.version) throw versionConflict(task);
}

export function versionConflict(task: TaskRow): Error {
  const message = 'Someone else changed this task. details.task is the current one.';
  return conflict('version_conflict', message, { task: presentTask(task) });
}

/**
 * People move tasks anywhere. Agents (`agent` is set) propose tasks, and work on those that a person has
 * accepted and nobody has closed. Built-in tools, MCP clients and runs all pass through here.
 */
export function requireMayMove(agent: string | null, from: Status, to: Status): void {
  if (agent === null || from === to) return;
  if (from === 'PROPOSED') {
    throw forbidden('role', 'Only a person can accept or decline a proposed task.');
  }
  if (isClosed(from)) throw forbidden('role', 'Only a person can reopen a closed task.');
  if (!AGENT_STATUSES.some((status) => status === to)) {
    throw forbidden('role', `An agent can move a task to ${AGENT_STATUSES.join(' or ')} only.`);
  }
}

export function requireMayCreate(agent: string | null, status: Status): void {
  if (agent === null || status === 'PROPOSED') return;
  throw forbidden('role', 'An agent can create PROPOSED tasks only.');
}

/** What is wrong with the values that refer to something else, if they are new. */
export function findBadReferences(
  taskId: string,
  before: TaskFields | undefined,
  after: TaskFields,
  { relations, isAnswerer }: { relations: Relations; isAnswerer: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) =>
    errors.push({ location: `body.${field}`, code: 'invalid_value', message });
  const isNew = (field: 'assigneeUserId' | 'assigneeAgent' | 'parentTaskId') =>
    after[field] !== null && after[field] !== before?.[field];
  if (after.assigneeUserId !== null && after.assigneeAgent !== null) {
    refuse('assigneeAgent', 'a task has one assignee: a person or an agent');
  }
  if (isNew('assigneeUserId') && !relations.isAssigneeMember) {
    refuse('assigneeUserId', 'is not a member of this Project');
  }
  if (isNew('assigneeAgent') && !isAnswerer) {
    refuse('assigneeAgent', 'is not a configured model, nor an agent of this Project');
  }
  if (isNew('parentTaskId')) {
    if (after.parentTaskId === taskId) refuse('parentTaskId', 'is the task itself');
    else if (relations.parentId === null) refuse('parentTaskId', 'is not a task of this Project');
    else if (relations.isParentSubtask) refuse('parentTaskId', 'is a subtask itself');
    else if (relations.hasSubtasks) refuse('parentTaskId', 'this task has subtasks of its own');
  }
  return errors;
}

/** What holds between a task and its subtasks. */
export function requireConsistent(
  before: TaskFields | undefined,
  after: TaskFields,
  { parentStatus, parentArchived, hasOpenSubtasks }: Relations,
): void {
  const isParentClosed = parentArchived || (parentStatus !== null && isClosed(parentStatus));
  const joins = before?.parentTaskId !== after.parentTaskId;
  const reopens = before !== undefined && isClosed(before.status) && !isClosed(after.status);
  if (isParentClosed && (joins || reopens)) throw parentClosed();
  if (after.status === 'DONE' && before?.status !== 'DONE' && hasOpenSubtasks) {
    throw conflict('subtasks_open', 'Close the subtasks of this task first.');
  }
}

export function parentClosed(): Error {
  return conflict('parent_closed', 'The parent task is closed or archived. Reopen it first.');
}
