import type { ListTasksParams } from '@atrium/sdk';
import {
  assigneesIn,
  prioritiesIn,
  runsIn,
  statusesIn,
  type Due,
  type TaskSearch,
} from './search-params.ts';
import { dayFromNow, OPEN } from '../task-words.ts';

/** The API takes 200 characters. */
export function toQuery(text: string): string {
  return text.trim().slice(0, 200).toWellFormed();
}

/** The first day that is too late. */
const DAYS: Record<Due, number> = { overdue: 0, today: 1, week: 7, month: 30 };

/** What the API is asked for, for a list with this address. */
export function toListParams(search: TaskSearch): ListTasksParams {
  const { sort } = search;
  return {
    status: statusesIn(search) ?? OPEN,
    ...toFilters(search),
    ...(sort && sort !== 'rank' && { sort }),
  };
}

/** The filters but for the status, which the columns of a board are. */
export function toFilters(search: TaskSearch): ListTasksParams {
  const { q, label, due } = search;
  const query = q && toQuery(q);
  const priority = prioritiesIn(search);
  const run = runsIn(search);
  return {
    ...toAssignee(assigneesIn(search)),
    ...(priority.length > 0 && { priority }),
    ...(run.length > 0 && { run }),
    ...(label && { label }),
    ...(due && { dueBefore: dayFromNow(DAYS[due]) }),
    ...(query && { query }),
  };
}

/** For one assignee, the parameter that the server has an index for. */
function toAssignee(assignees: string[]): ListTasksParams {
  const [one, ...others] = assignees;
  if (one === undefined) return {};
  if (others.length > 0 || one === 'none') return { assignee: assignees };
  return one.startsWith('@') ? { assigneeAgent: one.slice(1) } : { assigneeUserId: one };
}
