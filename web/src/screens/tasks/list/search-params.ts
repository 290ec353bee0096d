import { readTexts, type SearchChanges } from '../../../data/search-params.ts';
import { STATUSES, type Status } from '../statuses.ts';

const TEXTS = ['q', 'assignee', 'label'] as const;
const DUE = ['overdue', 'week'] as const;
const SORTS = ['dueOn', 'priority', 'updatedAt'] as const;

/** What the address of a list of tasks holds. `assignee`: `me`, a person's id, or an agent as `@slug`. */
export type TaskSearch = { [Name in (typeof TEXTS)[number]]?: string } & {
  /** Default: open tasks. */
  status?: Status | 'all';
  due?: (typeof DUE)[number];
  /** Default: as people have ordered them. */
  sort?: (typeof SORTS)[number];
};

export type TaskSearchChanges = SearchChanges<TaskSearch>;

export const NO_FILTERS = {
  status: undefined,
  assignee: undefined,
  label: undefined,
  due: undefined,
};

export function isFiltered(search: TaskSearch): boolean {
  return 'q' in search || Object.keys(NO_FILTERS).some((name) => name in search);
}

export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const status = ([...STATUSES, 'all'] as const).find((one) => one === search['status']);
  const due = DUE.find((one) => one === search['due']);
  const sort = SORTS.find((one) => one === search['sort']);
  return {
    ...readTexts(search, TEXTS),
    ...(status && { status }),
    ...(due && { due }),
    ...(sort && { sort }),
  };
}
