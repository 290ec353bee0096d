import type { ListTasksParams } from '@atrium/sdk';
import type { TaskSearch } from './search-params.ts';
import { dayFromNow, OPEN } from '../task-words.ts';

/** The API takes 200 characters. */
export function toQuery(text: string): string {
  return text.trim().slice(0, 200).toWellFormed();
}

/** What the API is asked for, for a list with this address. */
export function toListParams(search: TaskSearch): ListTasksParams {
  const { q, status, assignee, label, due, sort } = search;
  const query = q && toQuery(q);
  return {
    ...(status !== 'all' && { status: status ? [status] : OPEN }),
    ...(assignee?.startsWith('@') && { assigneeAgent: assignee.slice(1) }),
    ...(assignee && !assignee.startsWith('@') && { assigneeUserId: assignee }),
    ...(label && { label }),
    ...(due && { dueBefore: dayFromNow(due === 'overdue' ? 0 : 7) }),
    ...(query && { query }),
    ...(sort && { sort }),
  };
}
