import type { UserContext } from '../../../core/context.ts';
import { conflict, invalidValue } from '../../../core/errors.ts';
import { emit } from '../../../events/emit.ts';
import { shorten } from '../../../text/shorten.ts';
import { isUsable } from '../../files/attaching/service.ts';
import { isAnswerer } from '../../mentions/service.ts';
import { postMessage } from '../../messages/service.ts';
import { getProject } from '../../projects/service.ts';
import { createTaskSession, getSession, type SessionRow } from '../../sessions/service.ts';
import { checkTask } from '../check-task.ts';
import { requireLiveTask, requireMayMove } from '../policy.ts';
import { doerOf, fieldsOf } from '../save.ts';
import type { StartTask, TaskPath } from '../schema.ts';
import { withLockedTask } from '../service.ts';
import { setSession, type TaskRow } from '../store.ts';
import { begin } from '../runs/service.ts';

/** The session where the task is discussed, which is made the first time. */
export function openTaskSession(ctx: UserContext, path: TaskPath): Promise<SessionRow> {
  const { projectId, taskId } = path;
  return withLockedTask(ctx, path, async (inner, task) => {
    requireLiveTask(task);
    const { slug } = await getProject(inner, projectId);
    if (task.sessionId !== null) return getSession(inner, slug, task.sessionId);
    const session = await createTaskSession(inner, slug, task);
    await setSession(inner, taskId, session.id);
    emit(inner, { type: 'task.discussed', projectId, taskId, parentTaskIds: [] });
    return session;
  });
}

/** Has an agent work on the task: asks it in the task's session, as the caller. */
export function startTask(
  ctx: UserContext,
  path: TaskPath,
  { agent, instructions }: StartTask,
  startedBy: string | null = null,
): Promise<TaskRow> {
  const { projectId } = path;
  return withLockedTask(ctx, path, async (inner, task) => {
    requireLiveTask(task);
    requireMayMove(startedBy, task.status, 'IN_PROGRESS');
    if (task.run?.status === 'RUNNING') {
      throw conflict('task_running', 'An agent is working on this task. Stop it first, or wait.');
    }
    const asked = agent ?? task.assigneeAgent ?? 'model';
    if (asked !== 'model' && !(await isAnswerer(inner, projectId, asked))) {
      const message = `"${asked}" is not a configured model, nor an agent of this Project`;
      throw invalidValue('body.agent', message);
    }
    const fields = { ...fieldsOf(task), status: 'IN_PROGRESS' as const };
    const wanted = { before: task, fields, afterTaskId: undefined, agent: startedBy };
    await checkTask(inner, path, wanted);
    const session = await openTaskSession(inner, path);
    const { slug } = await getProject(inner, projectId);
    const body = requestFor(task, asked, instructions);
    // What has become of a file must not keep the agent from working.
    const fileIds = task.attachments.filter(isUsable).map(({ fileId }) => fileId);
    const place = { slug, sessionId: session.id };
    const message = await postMessage(inner, place, { body, fileIds }, { asked });
    const run = { messageId: message.id, agent: asked };
    return begin(inner, task, run, doerOf(ctx, startedBy));
  });
}

const LONGEST_BODY = 20_000;

/** The mention comes first, where nothing can turn it into code. */
function requestFor(task: TaskRow, agent: string, instructions: string | undefined): string {
  const what = instructions ?? 'Work on this task.';
  const about = [`**#${task.number} ${task.title}**`, task.description].filter(Boolean);
  const body = [`@${agent} ${what}`, ...about].join('\n\n');
  return body.length <= LONGEST_BODY ? body : shorten(body, LONGEST_BODY - 2);
}
