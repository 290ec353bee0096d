import { withTransaction, type UserContext } from '../../../core/context.ts';
import { invalidValue, limitReached, requireFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { getProject } from '../../projects/service.ts';
import type { CreateTaskView, UpdateTaskView } from './schema.ts';
import {
  deleteView,
  findView,
  insertView,
  lockOrder,
  MOST_VIEWS,
  saveOrder,
  updateView as updateRow,
  type ViewRow,
} from './store.ts';

export { listViews, type ViewRow } from './store.ts';

export async function getView(ctx: UserContext, id: string): Promise<ViewRow> {
  return requireFound(await findView(ctx, id), 'This view');
}

export function createView(
  ctx: UserContext,
  { projectId, afterViewId, ...given }: CreateTaskView,
): Promise<ViewRow> {
  const { layout = 'LIST', filters = {}, sort = 'rank', groupBy = 'NONE' } = given;
  const id = newId();
  const view = {
    id,
    projectId: projectId ?? null,
    name: given.name,
    layout,
    filters,
    sort,
    groupBy,
  };
  requireOneProject(view);
  return withTransaction(ctx, async (inner) => {
    if (projectId !== undefined) await getProject(inner, projectId);
    if (!(await insertView(inner, view))) {
      const message = `You have ${MOST_VIEWS} views. Delete one first.`;
      throw limitReached('task_views_per_person', MOST_VIEWS, message);
    }
    if (afterViewId !== undefined) await placeView(inner, id, afterViewId);
    emit(inner, { type: 'kept.changed', userId: ctx.actor.userId });
    return getView(inner, id);
  });
}

export function updateView(
  ctx: UserContext,
  id: string,
  { afterViewId, ...given }: UpdateTaskView,
): Promise<ViewRow> {
  return withTransaction(ctx, async (inner) => {
    const before = await getView(inner, id);
    const changes = Object.entries(given).filter(([, value]) => value !== undefined);
    if (changes.length === 0 && afterViewId === undefined) return before;
    const view = { ...before, ...Object.fromEntries(changes) };
    requireOneProject(view);
    if (changes.length > 0) await updateRow(inner, id, view);
    if (afterViewId !== undefined) await placeView(inner, id, afterViewId);
    emit(inner, { type: 'kept.changed', userId: ctx.actor.userId });
    return getView(inner, id);
  });
}

export function removeView(ctx: UserContext, id: string): Promise<void> {
  return withTransaction(ctx, async (inner) => {
    await getView(inner, id);
    await deleteView(inner, id);
    emit(inner, { type: 'kept.changed', userId: ctx.actor.userId });
  });
}

/** The columns of a board are ordered by hand, which people do in one Project. */
function requireOneProject({ layout, projectId }: Pick<ViewRow, 'layout' | 'projectId'>): void {
  if (layout !== 'BOARD' || projectId !== null) return;
  throw invalidValue('body.layout', 'must be LIST for a view of all Projects');
}

/** Right after another one, or first (null). */
async function placeView(ctx: UserContext, id: string, after: string | null): Promise<void> {
  const order = (await lockOrder(ctx)).filter((view) => view.id !== id);
  const at =
    after === null ? 0 : order.findIndex((view) => view.id === after && view.isVisible) + 1;
  if (after !== null && at === 0) {
    throw invalidValue('body.afterViewId', 'is not another view of yours');
  }
  const ids = order.map((view) => view.id);
  await saveOrder(ctx, ids.toSpliced(at, 0, id));
}
