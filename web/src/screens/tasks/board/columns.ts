import type { ListTasksParams, Task } from '@atrium/sdk';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import type { Status } from '../statuses.ts';

/** Proposed tasks wait in the tray above the board. */
export const COLUMNS = ['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'] as const;
export type Column = (typeof COLUMNS)[number];

/** Where a task goes: right after another one of the column, or first. */
export interface Place {
  status: Status;
  afterTaskId: string | null;
}

export interface TaskPage {
  items: Task[];
  total: number;
}

type Pages = InfiniteData<TaskPage>;

/** A board as it is filtered, in the cache. */
export interface BoardKey {
  orgId: string;
  projectId: string;
  filters: ListTasksParams;
}

/** What `useTaskPages` is asked for. */
export const columnParams = (status: Status, filters: ListTasksParams): ListTasksParams => ({
  ...filters,
  status: [status],
});

const keyOf = ({ orgId, projectId, filters }: BoardKey, status: Status) => [
  ...keys.tasks(orgId, projectId),
  'pages',
  columnParams(status, filters),
];

interface Listed {
  tasks: Task[] | undefined;
  total: number;
}

/** Columns are fetched one by one. A task that has moved meanwhile is shown where it is now, and not twice. */
export function showOnce<Name extends string, Shown extends Listed>(
  columns: Record<Name, Shown>,
): Record<Name, Shown> {
  const newest = new Map<string, Task>();
  for (const { tasks = [] } of Object.values<Shown>(columns)) {
    for (const task of tasks) {
      if (task.version >= (newest.get(task.id)?.version ?? 0)) newest.set(task.id, task);
    }
  }
  return changeTasks(columns, (tasks) => tasks.filter((task) => newest.get(task.id) === task));
}

/**
 * A task that has moved is missing in its old column as soon as that is fetched. Until all columns are, it is
 * shown where it was, so that no task is nowhere. `before` is what was shown last.
 */
export function keepUntilFound<Name extends string, Shown extends Listed & { isFetching: boolean }>(
  columns: Record<Name, Shown>,
  before: Record<Name, Pick<Shown, 'tasks'>> | undefined,
): Record<Name, Shown> {
  const shown = Object.values<Shown>(columns);
  if (!before || !shown.some(({ isFetching }) => isFetching)) return columns;
  const found = new Set(shown.flatMap(({ tasks = [] }) => tasks.map(({ id }) => id)));
  return changeTasks(columns, (tasks, name) => {
    const kept = [...tasks];
    for (const [at, task] of (before[name].tasks ?? []).entries()) {
      if (!found.has(task.id)) kept.splice(at, 0, task);
    }
    return kept;
  });
}

/** Changes what is listed in each column that is loaded, and counts it. */
function changeTasks<Name extends string, Shown extends Listed>(
  columns: Record<Name, Shown>,
  change: (tasks: Task[], name: Name) => Task[],
): Record<Name, Shown> {
  const entries = Object.entries<Shown>(columns).map(([name, column]) => {
    if (!column.tasks) return [name, column];
    const tasks = change(column.tasks, name as Name);
    return [name, { ...column, tasks, total: column.total + tasks.length - column.tasks.length }];
  });
  return Object.fromEntries(entries) as Record<Name, Shown>;
}

/** A column's tasks now. What is rendered may be a moment older, and people press keys faster than that. */
export function readColumn(queryClient: QueryClient, board: BoardKey, column: Column): string[] {
  const data = queryClient.getQueryData<Pages>(keyOf(board, column));
  return data?.pages.flatMap(({ items }) => items.map(({ id }) => id)) ?? [];
}

/** Where a task is, with the tasks above it, the nearest first. Undefined if it isn't loaded. */
export interface Standing {
  task: Task;
  above: string[];
}

export function findStanding(
  queryClient: QueryClient,
  board: BoardKey,
  taskId: string,
): Standing | undefined {
  for (const column of COLUMNS) {
    const data = queryClient.getQueryData<Pages>(keyOf(board, column));
    const tasks = data?.pages.flatMap(({ items }) => items) ?? [];
    const at = tasks.findIndex(({ id }) => id === taskId);
    const task = tasks[at];
    if (!task) continue;
    const above = tasks.slice(0, at).map(({ id }) => id);
    return { task, above: above.toReversed() };
  }
  return undefined;
}

/** Shows a task in its new place, before the server has confirmed it. */
export function moveInCache(
  queryClient: QueryClient,
  board: BoardKey,
  task: Task,
  place: Place,
): void {
  for (const status of [...COLUMNS, 'PROPOSED' as const]) {
    queryClient.setQueryData<Pages>(keyOf(board, status), (data) => {
      if (!data) return data;
      const without = removeTask(data, task.id);
      if (status !== place.status) return without;
      return insertTask(without, { ...task, status }, place.afterTaskId);
    });
  }
}

function removeTask(data: Pages, taskId: string): Pages {
  const isThere = data.pages.some(({ items }) => items.some(({ id }) => id === taskId));
  if (!isThere) return data;
  const pages = data.pages.map(({ items, total }) => ({
    items: items.filter(({ id }) => id !== taskId),
    total: total - 1,
  }));
  return { ...data, pages };
}

/** If the task before it isn't loaded, it is not shown until the server says where it is. */
function insertTask(data: Pages, task: Task, afterTaskId: string | null): Pages {
  const pages = data.pages.map(({ items, total }, nth) => {
    const after = items.findIndex(({ id }) => id === afterTaskId);
    const isHere = afterTaskId === null ? nth === 0 : after >= 0;
    return { items: isHere ? items.toSpliced(after + 1, 0, task) : items, total: total + 1 };
  });
  return { ...data, pages };
}
