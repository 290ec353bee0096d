import type { UserContext } from '../../../core/context.ts';
import { invalid } from '../../../core/errors.ts';
import { getProject } from '../../projects/service.ts';
import type { ListTasks } from '../schema.ts';
import { STATUSES } from '../status.ts';
import type { TaskRow } from '../store.ts';
import { queryFor } from '../search-words.ts';
import { findProjectIds, listTasks as listRows } from './store.ts';

/** Projects in one search. The database bounds the length of a query. */
const MOST_SEARCHED = 1_000;

export interface TaskPage {
  items: TaskRow[];
  total: number;
}

export async function listTasks(
  ctx: UserContext,
  projectId: string,
  query: ListTasks,
): Promise<TaskPage> {
  await getProject(ctx, projectId);
  return listFiltered(ctx, projectId, query);
}

/** In all Projects of the caller that are not archived. */
export function listAllTasks(ctx: UserContext, query: ListTasks): Promise<TaskPage> {
  return listFiltered(ctx, null, query);
}

async function listFiltered(
  ctx: UserContext,
  projectId: string | null,
  query: ListTasks,
): Promise<TaskPage> {
  const { assigneeUserId, page, limit, sort } = query;
  const words = await wordsFor(ctx, projectId, query.query);
  // Nothing has words that begin with none.
  if (query.query !== undefined && words === null) return { items: [], total: 0 };
  const filter = {
    projectId,
    statuses: query.status ?? STATUSES,
    isArchived: query.archived,
    assigneeUserId: assigneeUserId === 'me' ? ctx.actor.userId : (assigneeUserId ?? null),
    assigneeAgent: query.assigneeAgent ?? null,
    label: query.label ?? null,
    dueBefore: query.dueBefore ?? null,
    parentTaskId: query.parentTaskId ?? null,
    number: query.number ?? null,
    words,
  };
  return listRows(ctx, filter, { sort, limit, offset: (page - 1) * limit });
}

async function wordsFor(
  ctx: UserContext,
  projectId: string | null,
  query: string | undefined,
): Promise<string | null> {
  if (query === undefined) return null;
  const projectIds = projectId === null ? await findProjectIds(ctx) : [projectId];
  if (projectIds.length > MOST_SEARCHED) {
    const message = `must be in one Project: you have more than ${MOST_SEARCHED}`;
    throw invalid([{ location: 'query.query', code: 'too_many', message }]);
  }
  return queryFor(projectIds, query);
}
