import { withTransaction, type UserContext } from '../../../core/context.ts';
import { AppError, invalid, notFound, type FieldError } from '../../../core/errors.ts';
import type { Transaction } from '../../../db/types.ts';
import { requireLiveTask, requireVersion } from '../policy.ts';
import type { UpdateTasks } from '../schema.ts';
import { changeLocked, lockLive, moveToArchive, restoreLocked } from '../service.ts';
import { findTask, type TaskRow } from '../store.ts';
import { findStandings, type Standing } from './store.ts';

type Change = UpdateTasks['changes'][number];

export interface UpdatedTask {
  taskId: string;
  /** Undefined if the change was refused. */
  task: TaskRow | undefined;
  wasAfterTaskId: string | null;
  error: AppError | undefined;
}

/**
 * Changes many tasks of a Project in one commit. Each is checked separately: what is refused stays as it is,
 * and the others still change. The results are in the order of the request.
 */
export function updateTasks(
  ctx: UserContext,
  projectId: string,
  { changes }: UpdateTasks,
): Promise<UpdatedTask[]> {
  refuseRepeated(changes);
  return withTransaction(ctx, async (inner) => {
    await lockLive(inner, projectId);
    const ids = changes.map(({ taskId }) => taskId);
    const standings = new Map(
      (await findStandings(inner, projectId, ids)).map((standing) => [standing.id, standing]),
    );
    const results = new Map<Change, UpdatedTask>();
    for (const change of inOrder(changes, standings)) {
      const { taskId } = change;
      const wasAfterTaskId = standings.get(taskId)?.afterTaskId ?? null;
      const outcome = await changeOne(inner, projectId, change).catch((error: unknown) =>
        refusalAt(changes.indexOf(change), error),
      );
      const isRefused = outcome instanceof AppError;
      results.set(change, {
        taskId,
        wasAfterTaskId,
        task: isRefused ? undefined : outcome,
        error: isRefused ? outcome : undefined,
      });
    }
    return changes.map((change) => results.get(change) as UpdatedTask);
  });
}

function refuseRepeated(changes: readonly Change[]): void {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [at, { taskId }] of changes.entries()) {
    const location = `body.changes[${at}].taskId`;
    if (seen.has(taskId)) errors.push({ location, code: 'invalid_value', message: 'is repeated' });
    seen.add(taskId);
  }
  if (errors.length > 0) throw invalid(errors);
}

/**
 * A task is done only after its subtasks, and a subtask reopens only after its parent. So whoever sends both
 * need not think of their order.
 */
function inOrder(
  changes: readonly Change[],
  standings: ReadonlyMap<string, Standing>,
): readonly Change[] {
  const turnOf = ({ taskId, status }: Change) => {
    if (standings.get(taskId)?.isSubtask !== true) return 1;
    return status === 'DONE' || status === 'CANCELLED' ? 0 : 2;
  };
  return changes.toSorted((one, other) => turnOf(one) - turnOf(other));
}

/** Read again for each: putting one into its place can move others. */
async function changeOne(
  ctx: UserContext & { db: Transaction },
  projectId: string,
  { taskId, archived, ...input }: Change,
): Promise<TaskRow> {
  let task = await findTask(ctx, { projectId, taskId });
  if (!task) throw notFound('This task');
  requireVersion(task, input.version);
  if (archived === false) task = await restoreLocked(ctx, task);
  const hasInput = Object.entries(input).some(
    ([name, value]) => name !== 'version' && value !== undefined,
  );
  if (hasInput) {
    requireLiveTask(task);
    task = await changeLocked(ctx, task, { ...input, version: undefined });
  }
  return archived === true ? moveToArchive(ctx, task, true) : task;
}

/** A refusal of one change, with the places of its errors in the request. Anything else fails them all. */
function refusalAt(nth: number, error: unknown): AppError {
  if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') throw error;
  const { errors } = error.details;
  if (!Array.isArray(errors)) return error;
  return invalid(
    (errors as FieldError[]).map(({ location, ...rest }) => ({
      location: location.replace(/^body\./, `body.changes[${nth}].`),
      ...rest,
    })),
  );
}
