import { findPlace } from '../order/service.ts';
import { fieldsOf, writeTask, type Doer, type TaskContext } from '../save.ts';
import { isClosed } from '../status.ts';
import type { TaskRow, TaskRun } from '../store.ts';

// A run is one agent's work on a task. It starts with a message (`startTask`) and ends when the reply to it
// lands. All of this locks the Project first, and then the session.

/** Moves the task to IN_PROGRESS. What may not be started has been refused. */
export async function begin(
  ctx: TaskContext,
  task: TaskRow,
  { messageId, agent }: Pick<TaskRun, 'messageId' | 'agent'>,
  by: Doer,
): Promise<TaskRow> {
  // A closed task was done: after a failure it is to be done again.
  const status = isClosed(task.status) ? 'TODO' : task.status;
  const run: TaskRun = {
    messageId,
    agent,
    status: 'RUNNING',
    startedAt: ctx.clock.now().toISOString(),
    from: { status, rank: task.rank },
  };
  return moveTo(ctx, task, 'IN_PROGRESS', { run, by });
}

/** A COMPLETED run moves the task to IN_REVIEW, and any other back to where it was. */
export async function end(
  ctx: TaskContext,
  task: TaskRow,
  status: Exclude<TaskRun['status'], 'RUNNING'>,
  by: Doer,
): Promise<void> {
  const run = task.run && { ...task.run, status };
  const from = task.run?.from;
  if (!from) {
    await writeTask(ctx, task, { fields: fieldsOf(task), rank: task.rank, run, by });
  } else if (status === 'COMPLETED') {
    await moveTo(ctx, task, 'IN_REVIEW', { run, by });
  } else {
    const fields = { ...fieldsOf(task), status: from.status };
    await writeTask(ctx, task, { fields, rank: from.rank, run, by });
  }
}

/** To the end of the column, unless it is there already. */
async function moveTo(
  ctx: TaskContext,
  task: TaskRow,
  status: TaskRow['status'],
  { run, by }: { run: TaskRun | null; by: Doer },
): Promise<TaskRow> {
  const { projectId, id } = task;
  const { db, orgId } = ctx;
  const place =
    status === task.status
      ? task.rank
      : await findPlace({ db, orgId, projectId, status }, id, undefined);
  const fields = { ...fieldsOf(task), status };
  return writeTask(ctx, task, { fields, rank: place ?? task.rank, run, by });
}
