import type { EventContext } from '../../core/context.ts';
import type { EventOf } from '../../events/list.ts';
import { renameAssigneeAtCommit } from './store.ts';

/** In the commit that renames an agent: it stays the assignee. */
export function renameAssignee(
  ctx: EventContext,
  { from, slug: to }: EventOf<'agent.updated'>,
): void {
  if (from !== to) renameAssigneeAtCommit(ctx, { from, to });
}
