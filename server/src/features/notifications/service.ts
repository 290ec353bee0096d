import type { Context, UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { invalid } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { ListNotifications, MarkNotificationsRead } from './schema.ts';
import {
  countUnread,
  hasNotificationSince,
  insertChannelBroken,
  insertTaskNewsAtCommit,
  listNotifications as listRows,
  markRead,
  markReadUntil,
  type NotificationRow,
  type ReadPlace,
  type TaskNews,
} from './store.ts';
import { tellPerson } from './telling/service.ts';

export { purgeNotifications } from './store.ts';
export { notifyOfMessage, tellOfMessage, tellOfSession } from './telling/service.ts';

type Notifying = Pick<Context, 'orgId' | 'hints'> & { db: Transaction };

/** Adds to the commit of a change to a task that this person is told about it. */
export function notifyOfTask(ctx: Notifying, news: TaskNews): void {
  const { userId: to } = news;
  const onTold = () => ctx.hints.announce(ctx, { type: 'notification.created', to });
  insertTaskNewsAtCommit(ctx.db, ctx.orgId, news, onTold);
}

/** OWNER and ADMIN can repair it. `projectId` is null if the whole connection is broken. */
export async function notifyOfBrokenChannel(
  ctx: Notifying,
  projectId: string | null,
): Promise<void> {
  const people = await insertChannelBroken(ctx.db, ctx.orgId, { id: newId(), projectId });
  for (const to of people) ctx.hints.announce(ctx, { type: 'notification.created', to });
}

export interface NotificationList {
  rows: NotificationRow[];
  nextBefore: string | null;
  hasMore: boolean;
  unreadTotal: number;
}

export async function listNotifications(
  ctx: UserContext,
  { unread, before, limit }: ListNotifications,
): Promise<NotificationList> {
  await tellPerson(ctx, ctx.actor.userId);
  const page = await listRows(ctx, { unread, before: before ?? null, limit: limit + 1 });
  if (before !== undefined && !page.isCursorKnown) {
    const message = 'is not one of your notifications';
    throw invalid([{ location: 'query.before', code: 'invalid_value', message }]);
  }
  const rows = page.rows.slice(0, limit);
  const hasMore = page.rows.length > limit;
  const nextBefore = hasMore ? (rows.at(-1)?.id ?? null) : null;
  return { rows, nextBefore, hasMore, unreadTotal: page.unreadTotal };
}

/** Ids that are not the caller's are ignored. */
export async function markNotificationsRead(
  ctx: UserContext,
  choice: MarkNotificationsRead,
): Promise<{ unreadTotal: number }> {
  const { ids, until, taskId } = choice;
  if ([ids, until, taskId].filter((one) => one !== undefined).length !== 1) {
    const message = 'must have one of ids, until and taskId';
    throw invalid([{ location: 'body', code: 'invalid_value', message }]);
  }
  await tellPerson(ctx, ctx.actor.userId);
  if (until !== undefined && until > ctx.clock.now() && !(await hasNotificationSince(ctx, until))) {
    const message = 'must not be in the future';
    throw invalid([{ location: 'body.until', code: 'invalid_value', message }]);
  }
  announceRead(ctx, await markRead(ctx, choice));
  return { unreadTotal: await countUnread(ctx) };
}

export async function markAllNotificationsRead(ctx: UserContext): Promise<void> {
  await tellPerson(ctx, ctx.actor.userId);
  announceRead(ctx, await markRead(ctx, { all: true }));
}

/** Somebody who has read a message needs no notification about it, nor an email. */
export async function markPlaceRead(ctx: UserContext, place: ReadPlace): Promise<void> {
  await tellPerson(ctx, ctx.actor.userId);
  announceRead(ctx, await markReadUntil(ctx, place));
}

function announceRead(ctx: UserContext, marked: number): void {
  if (marked > 0) ctx.hints.announce(ctx, { type: 'notification.read', to: ctx.actor.userId });
}
