import { isDeepStrictEqual } from 'node:util';
import type { Context, UserContext } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { invalid } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../../lists/record-page.ts';
import type { ListActivity } from '../schema.ts';
import type { TaskFields, TaskRow } from '../store.ts';
import {
  findActivityVersion,
  insertActivityAtCommit,
  listActivity as listRows,
  scanActivity,
  type ActivityRow,
  type Change,
} from './store.ts';

export type { ActivityRow, Change };

/** As much of a long text as an entry keeps. */
const LONGEST_KEPT = 200;

/** The fields whose values differ. */
export function changesBetween(before: TaskFields, after: TaskFields): Change[] {
  const names = Object.keys(after) as (keyof TaskFields)[];
  return names
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((field) => ({ field, from: kept(before[field]), to: kept(after[field]) }));
}

function kept(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= LONGEST_KEPT) return value;
  return `${value.slice(0, LONGEST_KEPT).toWellFormed()} …`;
}

/** In the commit of the change that led to this version of the task. Returns the entry's id and time. */
export function recordActivity(
  ctx: Pick<Context, 'orgId' | 'clock'> & { db: Transaction },
  task: TaskRow,
  by: { userId: string; agent: string | null },
  changes: Change[],
): { id: string; at: Date } {
  const entry = { id: newId(), at: ctx.clock.now() };
  insertActivityAtCommit(ctx.db, ctx.orgId, {
    ...entry,
    taskId: task.id,
    version: task.version,
    actorUserId: by.userId,
    actorAgent: by.agent,
    changes,
  });
  return entry;
}

export interface ActivityPage {
  items: ActivityRow[];
  nextBefore: string | null;
  hasMore: boolean;
}

/** Newest first. For a caller who may read the task. */
export async function listActivity(
  ctx: UserContext,
  taskId: string,
  { before, limit }: ListActivity,
): Promise<ActivityPage> {
  const below = before === undefined ? null : await findActivityVersion(ctx, taskId, before);
  if (below === undefined) {
    const message = 'is not an entry of this list';
    throw invalid([{ location: 'query.before', code: 'invalid_value', message }]);
  }
  const rows = await listRows(ctx, taskId, { below, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { items, nextBefore: hasMore ? (items.at(-1)?.id ?? null) : null, hasMore };
}

/** For exports. Who may read everything is for the caller to check. */
export async function readActivity(
  ctx: UserContext,
  query: RecordQuery,
): Promise<RecordPage<ActivityRow>> {
  return recordPage(await scanActivity(ctx, query));
}
