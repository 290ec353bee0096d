import { withTransaction, type UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { invalid, limitReached, requireFound, type FieldError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { linkTask } from '../messages/service.ts';
import { projectArchived, requireLiveProject } from '../../access/project.ts';
import { getProject } from '../projects/service.ts';
import { recordActivity } from './activity/service.ts';
import { checkTask } from './check-task.ts';
import {
  parentClosed,
  requireLiveTask,
  requireMayCreate,
  requireVersion,
  versionConflict,
} from './policy.ts';
import { doerOf, fieldsOf, idsOf, report, saveTask, type TaskContext } from './save.ts';
import type { CreateTask, DecideProposals, TaskPath, UpdateTask } from './schema.ts';
import { isClosed } from './status.ts';
import {
  countAgentProposals,
  findProposal,
  findRelations,
  findSource,
  findTask,
  findTasks,
  insertTask,
  lockTasksOf,
  setArchived,
  takeNumber,
  type TaskFields,
  type TaskRow,
} from './store.ts';

export { listActivity } from './activity/service.ts';
export { listAllTasks, listTasks } from './list/service.ts';
export type { TaskRow };

/** Stands for whoever calls through MCP, in place of an agent's slug. */
export const MCP_CLIENT = 'mcp';

export async function getTask(ctx: UserContext, path: TaskPath): Promise<TaskRow> {
  await getProject(ctx, path.projectId);
  return requireFound(await findTask(ctx, path), 'This task');
}

/** Enough for a person to look through. */
const MOST_AGENT_PROPOSALS = 100;

/** `agent`: the agent that does it, asked by the caller. Its tasks are proposals. */
export function createTask(
  ctx: UserContext,
  projectId: string,
  input: CreateTask,
  agent: string | null = null,
): Promise<TaskRow> {
  const { afterTaskId, sourceMessageId = null, ...given } = input;
  const status = input.status ?? (agent === null ? 'TODO' : 'PROPOSED');
  const fields = { ...fieldsOf(), ...givenFields({ ...given, status }) };
  return withTransaction(ctx, async (inner) => {
    requireLiveProject((await getProject(inner, projectId)).archivedAt);
    requireMayCreate(agent, status);
    const number = await takeNumber(inner, projectId);
    if (number === undefined) throw projectArchived();
    if (agent !== null) await requireRoomForProposals(inner, projectId);
    const taskId = newId();
    const source =
      sourceMessageId === null ? undefined : await findSource(inner, projectId, sourceMessageId);
    const errors = sourceMessageId !== null && !source ? [badSource()] : [];
    const wanted = { fields, afterTaskId, agent, errors };
    const rank = await checkTask(inner, { projectId, taskId }, wanted);
    const task = await insertTask(inner, {
      ...fields,
      id: taskId,
      projectId,
      number,
      rank,
      sourceMessageId,
      createdByAgent: agent,
      at: ctx.clock.now(),
    });
    if (source && sourceMessageId !== null) {
      linkTask(inner, { ...source, id: sourceMessageId, projectId }, { id: taskId, number });
    }
    report(inner, { before: undefined, after: task, by: doerOf(ctx, agent), changes: [] });
    return task;
  });
}

function badSource(): FieldError {
  const message = 'is not a message of this Project';
  return { location: 'body.sourceMessageId', code: 'invalid_value', message };
}

async function requireRoomForProposals(ctx: TaskContext, projectId: string): Promise<void> {
  if ((await countAgentProposals(ctx, projectId)) < MOST_AGENT_PROPOSALS) return;
  const message = `${MOST_AGENT_PROPOSALS} tasks that agents proposed are waiting in this Project. A person has to accept or decline some first.`;
  throw limitReached('proposed_tasks_per_project', MOST_AGENT_PROPOSALS, message);
}

/** A run that died and starts again, or the same call twice, proposes nothing twice. */
export function proposeTask(
  ctx: UserContext,
  projectId: string,
  input: CreateTask & { sourceMessageId: string },
  agent: string,
): Promise<{ task: TaskRow; isNew: boolean }> {
  return withTransaction(ctx, async (inner) => {
    await lockLive(inner, projectId);
    const { title, sourceMessageId } = input;
    const same = await findProposal(inner, { sourceMessageId, agent, title });
    if (same) return { task: same, isNew: false };
    return { task: await createTask(inner, projectId, input, agent), isNew: true };
  });
}

/** Changes the given fields, and its place on the board. */
export function updateTask(
  ctx: UserContext,
  path: TaskPath,
  input: UpdateTask,
  agent: string | null = null,
): Promise<TaskRow> {
  return withLockedTask(ctx, path, (inner, before) => changeLocked(inner, before, input, agent));
}

type LockedContext = UserContext & { db: Transaction };

/** The same, for a task that nobody else can change. */
export async function changeLocked(
  ctx: LockedContext,
  before: TaskRow,
  { version, afterTaskId, ...given }: UpdateTask,
  agent: string | null = null,
): Promise<TaskRow> {
  requireLiveTask(before);
  requireVersion(before, version);
  const fields = { ...fieldsOf(before), ...givenFields(given) };
  const place = afterTaskId === undefined ? {} : { afterTaskId };
  return saveTask(ctx, before, { fields, ...place, by: doerOf(ctx, agent) });
}

/** Archiving an archived task changes nothing. */
export async function archiveTask(ctx: UserContext, path: TaskPath): Promise<void> {
  await withLockedTask(ctx, path, (inner, before) => moveToArchive(inner, before, true));
}

/** Restoring a task that is not archived changes nothing. */
export function restoreTask(ctx: UserContext, path: TaskPath): Promise<TaskRow> {
  return withLockedTask(ctx, path, restoreLocked);
}

export async function restoreLocked(ctx: LockedContext, before: TaskRow): Promise<TaskRow> {
  if (before.archivedAt === null) return before;
  const { projectId, id: taskId } = before;
  const { parentStatus } = await findRelations(ctx, { projectId, taskId }, before);
  const isParentClosed = parentStatus !== null && isClosed(parentStatus);
  if (isParentClosed && !isClosed(before.status)) throw parentClosed();
  return moveToArchive(ctx, before, false);
}

export async function moveToArchive(
  ctx: LockedContext,
  before: TaskRow,
  isArchived: boolean,
): Promise<TaskRow> {
  if ((before.archivedAt !== null) === isArchived) return before;
  const after = await setArchived(ctx, before, { isArchived, at: ctx.clock.now() });
  if (!after) throw versionConflict(before);
  const changes = [{ field: 'archived', from: !isArchived, to: isArchived }];
  recordActivity(ctx, after, doerOf(ctx, null), changes);
  emit(ctx, { type: isArchived ? 'task.archived' : 'task.restored', ...idsOf({ before, after }) });
  return after;
}

/** Accepts and declines several proposals at once. What is no longer proposed stays as it is. */
export async function decideProposals(
  ctx: UserContext,
  projectId: string,
  { accept = [], decline = [] }: DecideProposals,
): Promise<TaskRow[]> {
  return withTransaction(ctx, async (inner) => {
    await lockLive(inner, projectId);
    const decisions = new Map([
      ...accept.map((id) => [id, 'TODO'] as const),
      ...decline.map((id) => [id, 'CANCELLED'] as const),
    ]);
    const found = await findTasks(inner, projectId, [...decisions.keys()]);
    refuseUnknown(found, { accept, decline });
    const tasks: TaskRow[] = [];
    for (const task of found) {
      const isOpen = task.status === 'PROPOSED' && task.archivedAt === null;
      const fields = { ...fieldsOf(task), status: decisions.get(task.id) ?? task.status };
      const by = doerOf(ctx, null);
      tasks.push(isOpen ? await saveTask(inner, task, { fields, by }) : task);
    }
    return tasks;
  });
}

/** Every id names a task of the Project, and is in one of the lists only. */
function refuseUnknown(
  found: readonly TaskRow[],
  { accept, decline }: { accept: string[]; decline: string[] },
): void {
  const known = new Set(found.map(({ id }) => id));
  const refuse = (location: string, message: string) => ({
    location: `body.${location}`,
    code: 'invalid_value',
    message,
  });
  const unknown = 'is not a task of this Project';
  const errors = [
    ...accept.flatMap((id, at) => (known.has(id) ? [] : [refuse(`accept[${at}]`, unknown)])),
    ...decline.flatMap((id, at) => {
      if (!known.has(id)) return [refuse(`decline[${at}]`, unknown)];
      return accept.includes(id) ? [refuse(`decline[${at}]`, 'is also in `accept`')] : [];
    }),
  ];
  if (errors.length > 0) throw invalid(errors);
}

/** Reads the task when nobody else can change it any more. */
export async function withLockedTask<T>(
  ctx: UserContext,
  path: TaskPath,
  work: (inner: LockedContext, task: TaskRow) => Promise<T>,
): Promise<T> {
  return withTransaction(ctx, async (inner) => {
    await lockLive(inner, path.projectId);
    return work(inner, requireFound(await findTask(inner, path), 'This task'));
  });
}

/** Until the transaction ends, only the caller changes tasks of the Project. */
export async function lockLive(ctx: UserContext, projectId: string): Promise<void> {
  await getProject(ctx, projectId);
  requireLiveProject(await lockTasksOf(ctx, projectId));
}

/** Null empties a field; a new assignee takes the other's place. */
function givenFields({ labels, ...rest }: Given): Partial<TaskFields> {
  const given = { ...rest, labels: labels === null ? [] : labels };
  if (given.assigneeUserId && given.assigneeAgent === undefined) given.assigneeAgent = null;
  if (given.assigneeAgent && given.assigneeUserId === undefined) given.assigneeUserId = null;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

type Given = { [Field in keyof TaskFields]?: TaskFields[Field] | undefined | null };
