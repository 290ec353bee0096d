import type { EventContext } from '../../core/context.ts';
import { emit } from '../../events/emit.ts';
import type { EventOf } from '../../events/list.ts';
import { deleteNotificationsAtCommit, insertAcceptedAtCommit } from './store.ts';

export function notifyOfAcceptance(
  ctx: EventContext,
  { invitationId: id, invitedById, accepterId }: EventOf<'invitation.accepted'>,
): void {
  insertAcceptedAtCommit(ctx.db, ctx.orgId, { id, invitedById, accepterId });
  emit(ctx, { type: 'notification.created', to: invitedById });
}

export function forgetNotificationsOf(
  ctx: EventContext,
  { userId }: EventOf<'member.removed'>,
): void {
  deleteNotificationsAtCommit(ctx.db, ctx.orgId, userId);
}
