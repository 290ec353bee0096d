import type { UserContext } from '../../../core/context.ts';
import { BEFORE_IT, PAGE_BYTES, readInPieces } from '../../../lists/page-bytes.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../../access/standing.ts';
import type { ListTasks } from '../schema.ts';
import { STATUSES } from '../status.ts';
import { taskColumns, type TaskRow } from '../store.ts';

/** Which tasks to list. */
export interface TaskQuery extends Omit<ListTasks, 'query'> {
  /** Null: all Projects of the caller. */
  projectId: string | null;
  /** A tsquery. */
  words: string | undefined;
}

type Sort = ListTasks['sort'];

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
  assignee: `(t.assignee_user_id = ANY ($13) OR '@' || t.assignee_agent = ANY ($13)
    OR 'none' = ANY ($13) AND t.assignee_user_id IS NULL AND t.assignee_agent IS NULL)`,
  priority: 't.priority = ANY ($14)',
  run: `t.run ->> 'status' = ANY ($15)`,
};
const TYPES = 'text text text date text bigint text text[] text[] text[]'.split(' ');
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/**
 * Only the filters that are set are in the statement: a plan for filters that may or may not be there uses
 * no index. The others only get a type.
 */
function whereOf(filter: TaskQuery): string {
  const set = FILTER_NAMES.map((name, at) =>
    filter[name] === undefined ? `$${at + 6}::${TYPES[at]} IS NULL` : FILTERS[name],
  );
  const scope = filter.projectId === null ? IN_ALL_PROJECTS : IN_PROJECT;
  const archived = `t.archived_at IS ${filter.archived ? 'NOT NULL' : 'NULL'}`;
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

const PAGE = 'LIMIT $16::bigint OFFSET $17::bigint';

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
    LIMIT $16::bigint OFFSET greatest(0, $17::bigint - spans.before)) t
  WHERE spans.before < $16::bigint + $17::bigint AND spans.before + spans.size > $17::bigint
  ORDER BY spans.nth, t.project_id, t.rank, t.number LIMIT $16::bigint`;

/** From an index in the order of the list. */
function readUnfiltered(where: string, sort: Sort): string {
  if (sort === 'rank') {
    return `WITH ${spansOf(where)}, counted AS (SELECT coalesce(sum(size), 0)::bigint AS total FROM spans),
      listed AS (${byColumn(where)})`;
  }
  const all = `tasks t WHERE ${where} AND t.status = ANY ($5::text[])`;
  return `WITH counted AS (SELECT count(*) AS total FROM ${all}),
    listed AS (SELECT t.id FROM ${all} ORDER BY ${ORDERS[sort]} ${PAGE})`;
}

/** Those that the filter lets through are read once, for the total and for the page. */
function readFiltered(where: string, sort: Sort): string {
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
  query: TaskQuery,
): Promise<{ items: TaskRow[]; total: number }> {
  const { projectId, status: statuses = STATUSES, sort, page, limit } = query;
  const isFiltered = FILTER_NAMES.some((name) => query[name] !== undefined);
  const where = whereOf(query);
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
      projectId,
      STATUSES.filter((status) => statuses.includes(status)),
      ...FILTER_NAMES.map((name) => query[name] ?? null),
      limit,
      (page - 1) * limit,
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
