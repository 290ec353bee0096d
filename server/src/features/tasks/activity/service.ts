import { isDeepStrictEqual } from 'node:util';
import type { Context, UserContext } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { invalidValue } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { shorten } from '../../../text/shorten.ts';
import type { ListActivity, TaskActivityList } from '../schema.ts';
import type { TaskFields, TaskRow } from '../store.ts';
import {
  findActivityVersion,
  insertActivityAtCommit,
  listActivity as listRows,
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
  return typeof value === 'string' ? shorten(value, LONGEST_KEPT) : value;
}

/** In the commit of the change that led to this version of the task. Returns the entry's id and time. */
export function recordActivity(
  ctx: Pick<Context, 'orgId' | 'clock'> & { db: Transaction },
  task: TaskRow,
  by: { userId: string; agent: string | null },
  changes: Change[],
): { id: string; at: Date } {
  const entry = { id: newId(), at: ctx.clock.now() };
  insertActivityAtCommit(ctx, {
    ...entry,
    taskId: task.id,
    version: task.version,
    actorUserId: by.userId,
    actorAgent: by.agent,
    changes,
  });
  return entry;
}

/** Newest first. For a caller who may read the task. */
export async function listActivity(
  ctx: UserContext,
  taskId: string,
  { before, limit }: ListActivity,
): Promise<TaskActivityList> {
  const below = before === undefined ? null : await findActivityVersion(ctx, taskId, before);
  if (below === undefined) throw invalidValue('query.before', 'is not an entry of this list');
  const rows = await listRows(ctx, taskId, { below, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { items, nextBefore: hasMore ? (items.at(-1)?.id ?? null) : null, hasMore };
}
