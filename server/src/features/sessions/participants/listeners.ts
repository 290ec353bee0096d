import type { EventContext } from '../../../core/context.ts';
import type { EventOf } from '../../../events/list.ts';
import { leaveProjectAtCommit, leaveSessionsAtCommit } from './store.ts';

// Participants belong to the session's Project. Whatever ends someone's membership takes them out of its
// sessions in the same commit, after the statement that ends it.

/** For a person who may have left Projects, or the organisation. */
export function leaveSessions(ctx: EventContext, { userId }: { userId: string }): void {
  leaveSessionsAtCommit(ctx.db, ctx.orgId, userId);
}

export function leaveProject(
  ctx: EventContext,
  { projectId, changesAccess }: EventOf<'project.updated'>,
): void {
  if (changesAccess) leaveProjectAtCommit(ctx.db, ctx.orgId, projectId);
}
