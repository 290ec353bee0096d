import { findPlace } from '../order/service.ts';
import { fieldsOf, writeTask, type Doer, type TaskContext } from '../save.ts';
import { isClosed } from '../status.ts';
import { findTask, lockTasksOf, type TaskRow, type TaskRun } from '../store.ts';
import { findTaskOfSession } from './store.ts';

// A run is one agent's work on a task. It starts with a message (`startTask`) and ends when the reply to it
// lands. All of this locks the Project first, and then the session.

/** The question of a reply that has to do with a run, if its session is a task's. */
interface RunPlace {
  projectId: string;
  sessionId: string;
  questionId: string;
  mention: string;
}

/**
 * In the reply's commit: a COMPLETED reply moves the task to IN_REVIEW, and any other back to where it was,
 * unless a person has moved it meanwhile.
 */
export async function landRun(
  ctx: TaskContext,
  question: { id: string; projectId: string; taskId: string | null; askerUserId: string | null },
  reply: { mention: string; agentSlug: string; status: Exclude<TaskRun['status'], 'RUNNING'> },
): Promise<void> {
  const { projectId, taskId, askerUserId } = question;
  if (taskId === null || askerUserId === null) return;
  await lockTasksOf(ctx, projectId);
  const task = await findTask(ctx, projectId, taskId);
  if (!task || !isRunning(task, question.id, reply.mention)) return;
  const by = { userId: askerUserId, agent: reply.agentSlug };
  await end(ctx, task, reply.status, by);
}

/** In the commit that deletes the request: nobody answers it any more. */
export async function endRun(
  ctx: TaskContext & { actor: { userId: string } },
  { projectId, sessionId, questionId }: Omit<RunPlace, 'mention'>,
): Promise<void> {
  const task = await lockTaskOf(ctx, projectId, sessionId);
  if (!task?.run || !isRunning(task, questionId, task.run.agent)) return;
  await end(ctx, task, 'STOPPED', { userId: ctx.actor.userId, agent: null });
}

/** In the commit that retries a FAILED or STOPPED reply. A task that was closed since stays closed. */
export async function resumeRun(
  ctx: TaskContext & { actor: { userId: string } },
  { projectId, sessionId, questionId, mention }: RunPlace,
): Promise<void> {
  const task = await lockTaskOf(ctx, projectId, sessionId);
  if (!task?.run || task.archivedAt !== null || isClosed(task.status)) return;
  const { run } = task;
  const isLatest = run.messageId === questionId && run.agent === mention;
  if (!isLatest || run.status === 'RUNNING' || run.status === 'COMPLETED') return;
  await begin(ctx, task, run, { userId: ctx.actor.userId, agent: null });
}

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

async function end(
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

async function lockTaskOf(
  ctx: TaskContext,
  projectId: string,
  sessionId: string,
): Promise<TaskRow | undefined> {
  const taskId = await findTaskOfSession(ctx, sessionId);
  if (taskId === undefined) return undefined;
  await lockTasksOf(ctx, projectId);
  return findTask(ctx, projectId, taskId);
}

function isRunning({ run }: TaskRow, messageId: string, mention: string): boolean {
  return run?.status === 'RUNNING' && run.messageId === messageId && run.agent === mention;
}
