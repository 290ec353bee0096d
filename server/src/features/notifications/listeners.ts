import type { EventContext } from '../../core/context.ts';
import { newId } from '../../core/ids.ts';
import type { DurableListener } from '../../events/durable.ts';
import { emit } from '../../events/emit.ts';
import type { EventOf, SavedTask, UpcomingOf } from '../../events/list.ts';
import {
  deleteNotificationsAtCommit,
  insertAcceptedAtCommit,
  insertChannelBrokenAtCommit,
  insertTaskNewsAtCommit,
  markReadBy,
  markReadUntil,
} from './store.ts';
import {
  MESSAGES_AT_ONCE,
  tellOf,
  tellOfMessage,
  tellOfSession,
  tellPerson,
} from './telling/service.ts';
import { LISTENER } from './telling/store.ts';

/** A message writes one row, however many people it concerns. Theirs are written right after it. */
export const tellPeople: DurableListener<'message.created'> = {
  name: LISTENER,
  atOnce: MESSAGES_AT_ONCE,
  leaseMs: 10_000,
  recordOf({ messageId, parentMessageId, mentionedUserIds, isAnswer, isQuiet }) {
    const concernsPeople = isAnswer || parentMessageId !== null || mentionedUserIds.length > 0;
    return concernsPeople && !isQuiet ? messageId : undefined;
  },
  handle: (ctx, owed) =>
    tellOf(
      ctx,
      owed.map(({ recordId }) => recordId),
    ),
};

export function tellBeforeEdit(
  ctx: EventContext,
  { messageId }: UpcomingOf<'message.editing'>,
): Promise<void> {
  return tellOfMessage(ctx, messageId);
}

export function tellBeforeMute(
  ctx: EventContext,
  { sessionId }: UpcomingOf<'session.muting'>,
): Promise<void> {
  return tellOfSession(ctx, sessionId);
}

/** Somebody who has read a message needs no notification about it, nor an email. */
export async function markPlaceRead(
  ctx: EventContext,
  { userId, ...place }: UpcomingOf<'session.reading'>,
): Promise<void> {
  await tellPerson(ctx, userId);
  emitRead(ctx, userId, await markReadUntil(ctx, userId, place));
}

export async function markEverythingRead(
  ctx: EventContext,
  { userId }: UpcomingOf<'sessions.reading'>,
): Promise<void> {
  await tellPerson(ctx, userId);
  emitRead(ctx, userId, await markReadBy(ctx, userId, { all: true }));
}

function emitRead(ctx: EventContext, userId: string, marked: number): void {
  if (marked > 0) emit(ctx, { type: 'notification.read', userId });
}

export function notifyOfAcceptance(
  ctx: EventContext,
  { invitationId: id, invitedById, accepterId }: EventOf<'invitation.accepted'>,
): void {
  insertAcceptedAtCommit(ctx.db, ctx.orgId, { id, invitedById, accepterId });
  emit(ctx, { type: 'notification.created', to: invitedById });
}

/** The person whom a change to a task concerns. */
export function notifyOfTask(
  ctx: EventContext,
  { taskId, byAgent, byUserId, news }: SavedTask,
): void {
  if (!news) return;
  const actor = { actorUserId: byAgent === null ? byUserId : null, actorAgent: byAgent };
  insertTaskNewsAtCommit(ctx.db, ctx.orgId, { ...news, ...actor, taskId }, () =>
    emit(ctx, { type: 'notification.created', to: news.userId }),
  );
}

/** OWNER and ADMIN can repair it. */
export function notifyOfBreakage(
  ctx: EventContext,
  event: EventOf<'channel_connection.broken' | 'channel.broken'>,
): void {
  const projectId = event.type === 'channel.broken' ? event.projectId : null;
  insertChannelBrokenAtCommit(ctx.db, ctx.orgId, { id: newId(), projectId }, (people) => {
    for (const to of people) emit(ctx, { type: 'notification.created', to });
  });
}

export function forgetNotificationsOf(
  ctx: EventContext,
  { userId }: EventOf<'member.removed'>,
): void {
  deleteNotificationsAtCommit(ctx.db, ctx.orgId, userId);
}
