import type { EventContext } from '../../../core/context.ts';
import type { UpcomingOf } from '../../../events/list.ts';
import { isClosed } from '../status.ts';
import { findTask, lockTasksOf, type TaskRow } from '../store.ts';
import { begin, end } from './service.ts';
import { findTaskOfSession } from './store.ts';

// Each of these locks the Project first. What follows them locks the session.

/** In the reply's commit. A task that a person has moved meanwhile stays where it is. */
export async function landRun(
  ctx: EventContext,
  reply: UpcomingOf<'reply.landing'>,
): Promise<void> {
  const { projectId, taskId, questionId, askerUserId, mention, agentSlug, status } = reply;
  if (taskId === null || askerUserId === null) return;
  await lockTasksOf(ctx, projectId);
  const task = await findTask(ctx, { projectId, taskId });
  if (!task || !isRunning(task, questionId, mention)) return;
  await end(ctx, task, status, { userId: askerUserId, agent: agentSlug });
}

/** In the commit that deletes the request: nobody answers it any more. */
export async function endRun(
  ctx: EventContext,
  { messageId, isAwaitingReplies, userId, ...place }: UpcomingOf<'message.deleting'>,
): Promise<void> {
  if (!isAwaitingReplies) return;
  const task = await lockTaskOf(ctx, place);
  if (!task?.run || !isRunning(task, messageId, task.run.agent)) return;
  await end(ctx, task, 'STOPPED', { userId, agent: null });
}

/** In the commit that retries a FAILED or STOPPED reply. A task that was closed since stays closed. */
export async function resumeRun(
  ctx: EventContext,
  { questionId, mention, userId, ...place }: UpcomingOf<'reply.retrying'>,
): Promise<void> {
  const task = await lockTaskOf(ctx, place);
  if (!task?.run || task.archivedAt !== null || isClosed(task.status)) return;
  const { run } = task;
  const isLatest = run.messageId === questionId && run.agent === mention;
  if (!isLatest || run.status === 'RUNNING' || run.status === 'COMPLETED') return;
  await begin(ctx, task, run, { userId, agent: null });
}

async function lockTaskOf(
  ctx: EventContext,
  { projectId, sessionId }: { projectId: string; sessionId: string },
): Promise<TaskRow | undefined> {
  const taskId = await findTaskOfSession(ctx, sessionId);
  if (taskId === undefined) return undefined;
  await lockTasksOf(ctx, projectId);
  return findTask(ctx, { projectId, taskId });
}

function isRunning({ run }: TaskRow, messageId: string, mention: string): boolean {
  return run?.status === 'RUNNING' && run.messageId === messageId && run.agent === mention;
}
