import type { Context } from '../../core/context.ts';
import { invalid, type FieldError } from '../../core/errors.ts';
import { isAnswerer } from '../mentions/service.ts';
import { findPlace } from './order/service.ts';
import { findBadReferences, requireConsistent, requireMayMove } from './policy.ts';
import type { TaskPath } from './schema.ts';
import { findRelations, type TaskFields, type TaskRow } from './store.ts';

export interface TaskInput {
  /** Undefined for a new task. */
  before?: TaskRow;
  fields: TaskFields;
  /** After this one in its column, first (null), or where it is, or last if the column is new. */
  afterTaskId: string | null | undefined;
  agent: string | null;
  /** What else is wrong with the request. */
  errors?: FieldError[];
}

/**
 * Refuses what a task must not become, with all invalid fields at once, and returns its rank. The caller has
 * locked the Project's tasks.
 */
export async function checkTask(
  ctx: Pick<Context, 'db' | 'orgId' | 'models'>,
  { projectId, taskId }: TaskPath,
  { before, fields, afterTaskId, agent, errors = [] }: TaskInput,
): Promise<string> {
  if (before) requireMayMove(agent, before.status, fields.status);
  const { assigneeAgent, status } = fields;
  const [relations, answers, rank] = await Promise.all([
    findRelations(ctx, { projectId, taskId }, fields),
    assigneeAgent === null ? false : isAnswerer(ctx, projectId, assigneeAgent),
    afterTaskId === undefined && before?.status === status
      ? before.rank
      : findPlace({ db: ctx.db, orgId: ctx.orgId, projectId, status }, taskId, afterTaskId),
  ]);
  const found = findBadReferences(taskId, before, fields, { relations, isAnswerer: answers });
  errors.push(...found);
  if (rank === undefined) {
    const message = 'is not another task of this column';
    errors.push({ location: 'body.afterTaskId', code: 'invalid_value', message });
  }
  if (rank === undefined || errors.length > 0) throw invalid(errors);
  requireConsistent(before, fields, relations);
  return rank;
}
