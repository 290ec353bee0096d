import type { CreateTaskView, TaskView } from '@atrium/sdk';
import { toQuery } from '../list/list-params.ts';
import {
  assigneesIn,
  prioritiesIn,
  runsIn,
  statusesIn,
  statusText,
  withDefaults,
  type Due,
  type Group,
  type TaskSearch,
} from '../list/search-params.ts';

export type Layout = TaskView['layout'];
/** What a view remembers, besides its name. */
export type Shown = Required<Pick<CreateTaskView, 'layout' | 'filters' | 'sort' | 'groupBy'>>;

/** What a list or board with this address shows. */
export function toShown(search: TaskSearch, layout: Layout, isAcross: boolean): Shown {
  const full = withDefaults(search, isAcross);
  const { q, label, due, sort, group } = full;
  const status = statusesIn(full);
  const assignee = assigneesIn(full);
  const priority = prioritiesIn(full);
  const run = runsIn(full);
  const query = q && toQuery(q);
  return {
    layout,
    filters: {
      ...(status && { status }),
      ...(assignee.length > 0 && { assignee }),
      ...(priority.length > 0 && { priority }),
      ...(run.length > 0 && { run }),
      ...(label && { label }),
      ...(due && { due: due.toUpperCase() as Uppercase<Due> }),
      ...(query && { query }),
    },
    sort,
    groupBy: group.toUpperCase() as Uppercase<Group>,
  };
}

/** The address of a view. */
export function toSearch({ id, projectId, filters, sort, groupBy }: TaskView): TaskSearch {
  const { status, assignee, priority, run, label, due, query } = filters;
  const statuses = statusText(status ?? undefined);
  const isAcross = projectId === null;
  const search: TaskSearch = {
    view: id,
    ...(query && { q: query }),
    ...(statuses && { status: statuses }),
    ...(assignee ? { assignee: assignee.join(',') } : isAcross && { assignee: 'all' }),
    ...(priority && { priority: priority.join(',') }),
    ...(run && { run: run.join(',') }),
    ...(label && { label }),
    ...(due && { due: due.toLowerCase() as Due }),
  };
  const group = groupBy.toLowerCase() as Group;
  const defaults = withDefaults({}, isAcross);
  return {
    ...search,
    ...(sort !== defaults.sort && { sort }),
    ...(group !== defaults.group && { group }),
  };
}

/** Whether what is shown is no longer what the view remembers. */
export function isChanged(view: TaskView, search: TaskSearch, layout: Layout): boolean {
  const isAcross = view.projectId === null;
  const now = toShown(search, layout, isAcross);
  const saved = toShown(toSearch(view), view.layout, isAcross);
  return JSON.stringify(now) !== JSON.stringify(saved);
}
