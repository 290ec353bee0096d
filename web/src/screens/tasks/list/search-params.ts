import { readTexts, type SearchChanges } from '../../../data/search-params.ts';
import { STATUS, type Status } from '../statuses.ts';

const TEXTS = ['q', 'assignee', 'label', 'view'] as const;
const PRIORITIES = ['URGENT', 'HIGH', 'MEDIUM', 'LOW', 'NONE'] as const;
const RUNS = ['RUNNING', 'COMPLETED', 'FAILED', 'STOPPED'] as const;
const DUES = ['overdue', 'today', 'week', 'month'] as const;
const SORTS = ['rank', 'dueOn', 'priority', 'updatedAt'] as const;
const GROUPS = ['none', 'status', 'assignee', 'priority', 'due'] as const;

export type Due = (typeof DUES)[number];
export type Sort = (typeof SORTS)[number];
export type Group = (typeof GROUPS)[number];

/**
 * What the address of a list or board of tasks holds. Several values of a filter are separated by commas.
 * `assignee`: `me`, people's ids, agents as `@slug`, `none`, or `all` where the person's own are the default.
 */
export interface TaskSearch {
  q?: string;
  /** Default: open tasks. `all` is every status. */
  status?: string;
  assignee?: string;
  priority?: string;
  run?: string;
  label?: string;
  due?: Due;
  sort?: Sort;
  group?: Group;
  /** The saved view that it began with. */
  view?: string;
}

export type TaskSearchChanges = SearchChanges<TaskSearch>;

export const NO_FILTERS = {
  status: undefined,
  assignee: undefined,
  priority: undefined,
  run: undefined,
  label: undefined,
  due: undefined,
};

export function isFiltered(search: TaskSearch): boolean {
  return 'q' in search || Object.keys(NO_FILTERS).some((name) => name in search);
}

/** The values of a filter that are known. */
export function valuesOf<Value extends string>(
  text: string | undefined,
  known: readonly Value[],
): Value[] {
  const values = new Set(text?.split(','));
  return known.filter((one) => values.has(one));
}

const STATUSES = Object.keys(STATUS) as Status[];

/** Undefined: what is open. */
export function statusesIn({ status }: TaskSearch): Status[] | undefined {
  if (status === 'all') return STATUSES;
  const some = valuesOf(status, STATUSES);
  return some.length > 0 ? some : undefined;
}

export const prioritiesIn = ({ priority }: TaskSearch) => valuesOf(priority, PRIORITIES);
export const runsIn = ({ run }: TaskSearch) => valuesOf(run, RUNS);
export const assigneesIn = ({ assignee }: TaskSearch): string[] =>
  assignee?.split(',').filter((one) => one !== '' && one !== 'all') ?? [];

/** As the address has it: all of them by one word, none of them by nothing. */
export function statusText(statuses: readonly Status[] | undefined): string | undefined {
  if (!statuses || statuses.length === 0) return undefined;
  return statuses.length === STATUSES.length ? 'all' : statuses.join(',');
}

export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const lists = readTexts(search, ['status', 'priority', 'run']);
  const status = statusText(statusesIn(lists));
  const priority = prioritiesIn(lists).join(',');
  const run = runsIn(lists).join(',');
  const due = DUES.find((one) => one === search['due']);
  const sort = SORTS.find((one) => one === search['sort']);
  const group = GROUPS.find((one) => one === search['group']);
  return {
    ...readTexts(search, TEXTS),
    ...(status && { status }),
    ...(priority && { priority }),
    ...(run && { run }),
    ...(due && { due }),
    ...(sort && { sort }),
    ...(group && { group }),
  };
}

/** A list across projects begins with the person's own tasks, by what is due. */
export function withDefaults(search: TaskSearch, isAcross: boolean) {
  const { sort = isAcross ? 'dueOn' : 'rank', group = isAcross ? 'due' : 'status' } = search;
  const { assignee = isAcross ? 'me' : undefined } = search;
  return { ...search, sort, group, ...(assignee && { assignee }) };
}
