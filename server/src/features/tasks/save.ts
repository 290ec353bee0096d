import type { Context, EventContext, UserContext } from '../../core/context.ts';
import { emit } from '../../events/emit.ts';
import type { InTask, TaskNews } from '../../events/list.ts';
import { changesBetween, recordActivity, type Change } from './activity/service.ts';
import { checkTask } from './check-task.ts';
import { newsOf } from './news.ts';
import { versionConflict } from './policy.ts';
import { updateTask, type TaskFields, type TaskRow, type TaskRun } from './store.ts';

/** Inside the transaction that has locked the Project's tasks. */
export type TaskContext = EventContext;

/** Who changes a task: a person, or an agent that the person has asked. */
export interface Doer {
  userId: string;
  agent: string | null;
}

export function doerOf({ actor }: Pick<UserContext, 'actor'>, agent: string | null): Doer {
  return { userId: actor.userId, agent };
}

const EMPTY_TASK: TaskFields = {
  title: '',
  description: null,
  status: 'TODO',
  priority: 'NONE',
  assigneeUserId: null,
  assigneeAgent: null,
  dueOn: null,
  labels: [],
  parentTaskId: null,
};

export function fieldsOf(task: TaskFields = EMPTY_TASK): TaskFields {
  const names = Object.keys(EMPTY_TASK) as (keyof TaskFields)[];
  return Object.fromEntries(names.map((name) => [name, task[name]])) as unknown as TaskFields;
}

/** What people and agents want a task to be, if it may become that. */
export async function saveTask(
  ctx: TaskContext & Pick<Context, 'models'>,
  before: TaskRow,
  { fields, afterTaskId, by }: { fields: TaskFields; afterTaskId?: string | null; by: Doer },
): Promise<TaskRow> {
  const isSame = changesBetween(fieldsOf(before), fields).length === 0;
  if (isSame && afterTaskId === undefined) return before;
  const { projectId, id: taskId } = before;
  const wanted = { before, fields, afterTaskId, agent: by.agent };
  const rank = await checkTask(ctx, { projectId, taskId }, wanted);
  const isMoved = fields.status !== before.status && by.agent === null;
  // A run no longer moves what a person has moved.
  const run = isMoved && before.run ? { ...before.run, from: null } : before.run;
  return writeTask(ctx, before, { fields, rank, run, by });
}

/** Writes what has been checked. */
export async function writeTask(
  ctx: TaskContext,
  before: TaskRow,
  { fields, rank, run, by }: { fields: TaskFields; rank: string; run: TaskRun | null; by: Doer },
): Promise<TaskRow> {
  const at = ctx.clock.now();
  const after = await updateTask(ctx, before, { ...fields, rank, run, at });
  if (!after) throw versionConflict(before);
  const changes = [...changesBetween(fieldsOf(before), fields), ...changesOfRun(before.run, run)];
  report(ctx, { before, after, by, changes });
  return after;
}

function changesOfRun(before: TaskRun | null, after: TaskRun | null): Change[] {
  const from = before?.messageId === after?.messageId ? before?.status : undefined;
  if (after === null || from === after.status) return [];
  return [{ field: 'run', from: from ?? null, to: after.status }];
}

interface TaskChange {
  /** Undefined for a new task. */
  before: TaskRow | undefined;
  after: TaskRow;
  by: Doer;
  changes: Change[];
}

/** Adds the change to the task's activity, and says what happened. */
export function report(ctx: TaskContext, change: TaskChange): void {
  const { before, by } = change;
  emit(ctx, {
    type: before ? 'task.updated' : 'task.created',
    ...idsOf(change),
    byAgent: by.agent,
    byUserId: by.userId,
    news: recordNews(ctx, change),
  });
}

/** The entry in the task's activity, and the person whom it concerns. */
function recordNews(
  ctx: TaskContext,
  { before, after, by, changes }: TaskChange,
): TaskNews | undefined {
  if (before && changes.length === 0) return undefined;
  const { id, at } = recordActivity(ctx, after, by, changes);
  const news = newsOf(before, after);
  // What people ask agents to do is their own doing.
  if (!news || news.userId === by.userId) return undefined;
  return { ...news, id, at: at.toISOString() };
}

/** With its parents: they show how many of their subtasks are done. */
export function idsOf({ before, after }: Pick<TaskChange, 'before' | 'after'>): InTask {
  const parents = new Set([before?.parentTaskId, after.parentTaskId]);
  const parentTaskIds = [...parents].filter((id) => typeof id === 'string');
  return { projectId: after.projectId, taskId: after.id, parentTaskIds };
}
