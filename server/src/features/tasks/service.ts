import { withTransaction, type UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { invalid, limitReached, type FieldError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../lists/record-page.ts';
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
  requireTask,
  requireVersion,
  versionConflict,
} from './policy.ts';
import { doerOf, fieldsOf, idsOf, report, saveTask, type TaskContext } from './save.ts';
import type { CreateTask, DecideProposals, UpdateTask } from './schema.ts';
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
  scanTasks,
  setArchived,
  takeNumber,
  type TaskFields,
  type TaskRow,
} from './store.ts';

export { listActivity, readActivity } from './activity/service.ts';
export { listAllTasks, listTasks } from './list/service.ts';
export type { TaskRow };

/** Stands for whoever calls through MCP, in place of an agent's slug. */
export const MCP_CLIENT = 'mcp';

export async function getTask(
  ctx: UserContext,
  projectId: string,
  taskId: string,
): Promise<TaskRow> {
  await getProject(ctx, projectId);
  return requireTask(await findTask(ctx, projectId, taskId));
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
    const id = newId();
    const source =
      sourceMessageId === null ? undefined : await findSource(inner, projectId, sourceMessageId);
    const errors = sourceMessageId !== null && !source ? [badSource()] : [];
    const wanted = { fields, afterTaskId, agent, errors };
    const rank = await checkTask(inner, projectId, id, wanted);
    const task = await insertTask(inner, {
      ...fields,
      id,
      projectId,
      number,
      rank,
      sourceMessageId,
      createdByAgent: agent,
      at: ctx.clock.now(),
    });
    if (source && sourceMessageId !== null) {
      linkTask(inner, { ...source, id: sourceMessageId, projectId }, { id, number });
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
  projectId: string,
  taskId: string,
  input: UpdateTask,
  agent: string | null = null,
): Promise<TaskRow> {
  const { version, afterTaskId, ...given } = input;
  return withLockedTask(ctx, projectId, taskId, async (inner, before) => {
    requireLiveTask(before);
    requireVersion(before, version);
    const fields = { ...fieldsOf(before), ...givenFields(given) };
    const place = afterTaskId === undefined ? {} : { afterTaskId };
    return saveTask(inner, before, { fields, ...place, by: doerOf(ctx, agent) });
  });
}

/** Archiving an archived task changes nothing. */
export async function archiveTask(
  ctx: UserContext,
  projectId: string,
  taskId: string,
): Promise<void> {
  await withLockedTask(ctx, projectId, taskId, (inner, before) =>
    moveToArchive(inner, before, true),
  );
}

/** Restoring a task that is not archived changes nothing. */
export function restoreTask(ctx: UserContext, projectId: string, taskId: string): Promise<TaskRow> {
  return withLockedTask(ctx, projectId, taskId, async (inner, before) => {
    if (before.archivedAt === null) return before;
    const { parentStatus } = await findRelations(inner, projectId, taskId, before);
    const isParentClosed = parentStatus !== null && isClosed(parentStatus);
    if (isParentClosed && !isClosed(before.status)) throw parentClosed();
    return moveToArchive(inner, before, false);
  });
}

async function moveToArchive(
  ctx: UserContext & { db: Transaction },
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
  projectId: string,
  taskId: string,
  work: (inner: UserContext & { db: Transaction }, task: TaskRow) => Promise<T>,
): Promise<T> {
  return withTransaction(ctx, async (inner) => {
    await lockLive(inner, projectId);
    return work(inner, requireTask(await findTask(inner, projectId, taskId)));
  });
}

async function lockLive(ctx: UserContext, projectId: string): Promise<void> {
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

/** For exports. Who may read everything is for the caller to check. */
export async function readTasks(
  ctx: UserContext,
  query: RecordQuery,
): Promise<RecordPage<TaskRow>> {
  return recordPage(await scanTasks(ctx, query));
}
