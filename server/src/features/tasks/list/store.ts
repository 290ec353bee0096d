import type { UserContext } from '../../../core/context.ts';
import { BEFORE_IT, PAGE_BYTES, readInPieces } from '../../../lists/page-bytes.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../../access/standing.ts';
import { STATUSES, type Status } from '../status.ts';
import { taskColumns, type TaskRow } from '../store.ts';

/** Which tasks to list. A filter that is null matches everything. */
export interface TaskFilter {
  /** Null: all Projects of the caller. */
  projectId: string | null;
  statuses: readonly Status[];
  isArchived: boolean;
  assigneeUserId: string | null;
  assigneeAgent: string | null;
  label: string | null;
  dueBefore: string | null;
  parentTaskId: string | null;
  number: number | null;
  /** A tsquery. */
  words: string | null;
}

export interface Paging {
  sort: 'rank' | 'dueOn' | 'priority' | 'updatedAt';
  limit: number;
  offset: number;
}

const IN_PROJECT = `t.project_id = (SELECT p.id FROM projects p
  WHERE p.org_id = $1 AND p.id = $4 AND ${IS_PROJECT_MEMBER})`;
const IN_ALL_PROJECTS = `$4::text IS NULL AND t.project_id IN (SELECT p.id FROM projects p
  WHERE p.org_id = $1 AND p.archived_at IS NULL AND ${IS_PROJECT_MEMBER})`;

/** The filters that a list may have, one parameter each from $6 on. */
const FILTERS = {
  assigneeUserId: 't.assignee_user_id = $6',
  assigneeAgent: 't.assignee_agent = $7',
  label: '$8 = ANY (t.labels)',
  dueBefore: 't.due_on < $9',
  parentTaskId: 't.parent_task_id = $10',
  number: 't.number = $11',
  words: 't.words @@ $12::tsquery',
};
const TYPES = ['text', 'text', 'text', 'date', 'text', 'bigint', 'text'];
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/**
 * Only the filters that are set are in the statement: a plan for filters that may or may not be there uses
 * no index. The others only get a type.
 */
function whereOf(filter: TaskFilter): string {
  const set = FILTER_NAMES.map((name, at) =>
    filter[name] === null ? `$${at + 6}::${TYPES[at]} IS NULL` : FILTERS[name],
  );
  const scope = filter.projectId === null ? IN_ALL_PROJECTS : IN_PROJECT;
  const archived = `t.archived_at IS ${filter.isArchived ? 'NOT NULL' : 'NULL'}`;
  return `t.org_id = $1 AND ${[scope, archived, ...set].join(' AND ')}`;
}

/** A CASE, because a function call for each of many rows takes longer than reading them. */
const COLUMN = `CASE t.status ${STATUSES.map((name, at) => `WHEN '${name}' THEN ${at}`).join(' ')} END`;

/** Each has an index, for lists without a filter. */
const ORDERS = {
  rank: `${COLUMN}, t.project_id, t.rank, t.number`,
  dueOn: 't.due_on NULLS LAST, t.number, t.project_id',
  priority: `array_position(ARRAY['URGENT', 'HIGH', 'MEDIUM', 'LOW', 'NONE'], t.priority),
    t.number, t.project_id`,
  updatedAt: 't.updated_at DESC, t.number DESC, t.project_id',
};

const PAGE = 'LIMIT $13::bigint OFFSET $14::bigint';

/** How many tasks each column has, and how many come before it. */
const spansOf = (where: string) => `spans AS MATERIALIZED (
  SELECT col.nth, col.status, coalesce(counted.size, 0) AS size,
    coalesce(sum(counted.size) OVER (ORDER BY col.nth ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW), 0)
      ::bigint AS before
  FROM unnest($5::text[]) WITH ORDINALITY AS col (status, nth)
  LEFT JOIN (SELECT t.status, count(*) AS size FROM tasks t
    WHERE ${where} AND t.status = ANY ($5::text[]) GROUP BY t.status) counted
    ON counted.status = col.status)`;

/** Column by column: the index has each in order. Only those that the page shows a part of are read. */
const byColumn = (where: string) => `SELECT t.id FROM spans
  CROSS JOIN LATERAL (SELECT t.id, t.project_id, t.number, t.rank FROM tasks t
    WHERE ${where} AND t.status = spans.status ORDER BY t.project_id, t.rank, t.number
    LIMIT $13::bigint OFFSET greatest(0, $14::bigint - spans.before)) t
  WHERE spans.before < $13::bigint + $14::bigint AND spans.before + spans.size > $14::bigint
  ORDER BY spans.nth, t.project_id, t.rank, t.number LIMIT $13::bigint`;

/** From an index in the order of the list. */
function readUnfiltered(where: string, sort: Paging['sort']): string {
  if (sort === 'rank') {
    return `WITH ${spansOf(where)}, counted AS (SELECT coalesce(sum(size), 0)::bigint AS total FROM spans),
      listed AS (${byColumn(where)})`;
  }
  const all = `tasks t WHERE ${where} AND t.status = ANY ($5::text[])`;
  return `WITH counted AS (SELECT count(*) AS total FROM ${all}),
    listed AS (SELECT t.id FROM ${all} ORDER BY ${ORDERS[sort]} ${PAGE})`;
}

/** Those that the filter lets through are read once, for the total and for the page. */
function readFiltered(where: string, sort: Paging['sort']): string {
  return `WITH found AS MATERIALIZED (SELECT t.id, t.project_id, t.number, t.status, t.rank, t.due_on,
        t.priority, t.updated_at
      FROM tasks t WHERE ${where} AND t.status = ANY ($5::text[])),
    counted AS (SELECT count(*) AS total FROM found),
    listed AS (SELECT t.id FROM found t ORDER BY ${ORDERS[sort]} ${PAGE})`;
}

const DESCRIPTION_BYTES = 'coalesce(octet_length(t.description), 0)';
/** Of the tasks that fit into the first statement. */
const FITTING_DESCRIPTION = `CASE WHEN coalesce(sum(${DESCRIPTION_BYTES})
  OVER (ORDER BY page.nth ${BEFORE_IT}), 0) < ${PAGE_BYTES} THEN t.description END`;

type ListedRow = TaskRow & { total: number; bytes: number };

/** Total and page come from one snapshot, in one round trip unless there are long descriptions. */
export async function listTasks(
  ctx: UserContext,
  filter: TaskFilter,
  { sort, limit, offset }: Paging,
): Promise<{ items: TaskRow[]; total: number }> {
  const isFiltered = FILTER_NAMES.some((name) => filter[name] !== null);
  const where = whereOf(filter);
  const reading = isFiltered ? readFiltered(where, sort) : readUnfiltered(where, sort);
  const rows = await ctx.db.query<ListedRow>(
    `${reading} SELECT counted.total, ${DESCRIPTION_BYTES} AS bytes,
       ${taskColumns(FITTING_DESCRIPTION)}
     FROM counted
     LEFT JOIN (SELECT listed.id, row_number() OVER () AS nth FROM listed) page ON true
     LEFT JOIN tasks t ON t.org_id = $1 AND t.id = page.id
     ORDER BY page.nth`,
    [
      ...callerOf(ctx),
      filter.projectId,
      STATUSES.filter((status) => filter.statuses.includes(status)),
      ...FILTER_NAMES.map((name) => filter[name]),
      limit,
      offset,
    ],
  );
  const items = rows.filter((row) => row.id !== null);
  await addDescriptions(ctx, items);
  return { total: rows[0]?.total ?? 0, items };
}

/** To the tasks whose description did not fit. */
async function addDescriptions({ db, orgId }: UserContext, listed: ListedRow[]): Promise<void> {
  const left = listed.filter(({ description, bytes }) => description === null && bytes > 0);
  const found = await readInPieces(
    left,
    ({ bytes }) => bytes,
    (piece) =>
      db.query<Pick<TaskRow, 'id' | 'description'>>(
        'SELECT id, description FROM tasks WHERE org_id = $1 AND id = ANY ($2)',
        [orgId, piece.map(({ id }) => id)],
      ),
  );
  const byId = new Map(found.map(({ id, description }) => [id, description]));
  for (const task of left) task.description = byId.get(task.id) ?? null;
}

/** Where the caller's searches look. */
export async function findProjectIds(ctx: UserContext): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(
    `SELECT p.id FROM projects p
     WHERE p.org_id = $1 AND p.archived_at IS NULL AND ${IS_PROJECT_MEMBER}`,
    callerOf(ctx),
  );
  return rows.map(({ id }) => id);
}
