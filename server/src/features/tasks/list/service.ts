import type { UserContext } from '../../../core/context.ts';
import { invalid } from '../../../core/errors.ts';
import { getProject } from '../../projects/service.ts';
import type { ListTasks } from '../schema.ts';
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
  const words = await wordsFor(ctx, projectId, query.query);
  // Nothing has words that begin with none.
  if (query.query !== undefined && words === undefined) return { items: [], total: 0 };
  const isOwn = query.assigneeUserId === 'me';
  const assigneeUserId = isOwn ? ctx.actor.userId : query.assigneeUserId;
  const assignee = query.assignee?.map((one) => (one === 'me' ? ctx.actor.userId : one));
  return listRows(ctx, { ...query, projectId, assigneeUserId, assignee, words });
}

async function wordsFor(
  ctx: UserContext,
  projectId: string | null,
  query: string | undefined,
): Promise<string | undefined> {
  if (query === undefined) return undefined;
  const projectIds = projectId === null ? await findProjectIds(ctx) : [projectId];
  if (projectIds.length > MOST_SEARCHED) {
    const message = `must be in one Project: you have more than ${MOST_SEARCHED}`;
    throw invalid([{ location: 'query.query', code: 'too_many', message }]);
  }
  return queryFor(projectIds, query);
}
