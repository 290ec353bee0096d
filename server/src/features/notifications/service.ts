import type { UserContext } from '../../core/context.ts';
import { invalidValue } from '../../core/errors.ts';
import { emit } from '../../events/emit.ts';
import type { ListNotifications, MarkNotificationsRead } from './schema.ts';
import {
  countUnread,
  hasNotificationSince,
  listNotifications as listRows,
  markReadBy,
  type NotificationRow,
} from './store.ts';
import { tellPerson } from './telling/service.ts';

export { purgeNotifications } from './store.ts';

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
  const page = await listRows(ctx, { unread, before, limit: limit + 1 });
  if (before !== undefined && !page.isCursorKnown) {
    throw invalidValue('query.before', 'is not one of your notifications');
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
    throw invalidValue('body', 'must have one of ids, until and taskId');
  }
  await tellPerson(ctx, ctx.actor.userId);
  if (until !== undefined && until > ctx.clock.now() && !(await hasNotificationSince(ctx, until))) {
    throw invalidValue('body.until', 'must not be in the future');
  }
  const marked = await markReadBy(ctx, ctx.actor.userId, choice);
  if (marked > 0) emit(ctx, { type: 'notification.read', userId: ctx.actor.userId });
  return { unreadTotal: await countUnread(ctx) };
}
