import type { EventContext } from '../../core/context.ts';
import { newId } from '../../core/ids.ts';
import type { DurableListener } from '../../events/durable.ts';
import { emit } from '../../events/emit.ts';
import type { EventOf, SavedTask, UpcomingOf } from '../../events/list.ts';
import {
  deleteNotificationsAtCommit,
  insertAcceptedAtCommit,
  insertChannelBrokenAtCommit,
  insertReminderAtCommit,
  insertTaskNewsAtCommit,
  insertUnsentAtCommit,
  markReadBy,
  markReadUntil,
} from './store.ts';
import { MESSAGES_AT_ONCE, tellOf, tellPerson } from './telling/service.ts';
import { LISTENER } from './telling/store.ts';

export { tellBeforeEdit, tellBeforeMute } from './telling/service.ts';

/** A message writes one row, however many people it concerns. Theirs are written right after it. */
export const tellPeople: DurableListener<'message.created'> = {
  name: LISTENER,
  atOnce: MESSAGES_AT_ONCE,
  leaseMs: 10_000,
  recordOf({ messageId, mentionedUserIds, isQuiet, ...about }) {
    const isSaidToAll = about.isDirect || about.broadcast;
    const concernsPeople =
      about.isAnswer ||
      isSaidToAll ||
      about.parentMessageId !== null ||
      mentionedUserIds.length > 0;
    return concernsPeople && !isQuiet ? messageId : undefined;
  },
  handle: (ctx, owed) =>
    tellOf(
      ctx,
      owed.map(({ recordId }) => recordId),
      owed.some(({ event }) => event.broadcast === 'HERE') ? undefined : [],
    ),
};

/** Somebody who has read a message needs no notification about it, nor an email. */
export async function markPlaceRead(
  ctx: EventContext,
  event: UpcomingOf<'session.reading'>,
): Promise<void> {
  const { userId } = event;
  await tellPerson(ctx, userId);
  emitRead(ctx, userId, await markReadUntil(ctx, event));
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
  insertAcceptedAtCommit(ctx, { id, invitedById, accepterId });
  emit(ctx, { type: 'notification.created', to: invitedById });
}

/** The person whom a change to a task concerns. */
export function notifyOfTask(
  ctx: EventContext,
  { taskId, byAgent, byUserId, news }: SavedTask,
): void {
  if (!news) return;
  const actor = { actorUserId: byAgent === null ? byUserId : null, actorAgent: byAgent };
  insertTaskNewsAtCommit(ctx, { ...news, ...actor, taskId }, () =>
    emit(ctx, { type: 'notification.created', to: news.userId }),
  );
}

/** OWNER and ADMIN can repair it. */
export function notifyOfBreakage(
  ctx: EventContext,
  event: EventOf<'channel_connection.broken' | 'channel.broken'>,
): void {
  const projectId = event.type === 'channel.broken' ? event.projectId : null;
  insertChannelBrokenAtCommit(ctx, { id: newId(), projectId }, (people) => {
    for (const to of people) emit(ctx, { type: 'notification.created', to });
  });
}

export function notifyOfReminder(
  ctx: EventContext,
  { reminderId, userId }: EventOf<'reminder.due'>,
): void {
  insertReminderAtCommit(ctx, reminderId, () =>
    emit(ctx, { type: 'notification.created', to: userId }),
  );
}

/** The author of a scheduled message that could not be sent. */
export function notifyOfUnsent(
  ctx: EventContext,
  { scheduledId, userId }: EventOf<'scheduled_message.failed'>,
): void {
  insertUnsentAtCommit(ctx, { id: newId(), scheduledId });
  emit(ctx, { type: 'notification.created', to: userId });
}

export function forgetNotificationsOf(
  ctx: EventContext,
  { userId }: EventOf<'member.removed'>,
): void {
  deleteNotificationsAtCommit(ctx, userId);
}
