import type { UserContext } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
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
  const marked = await markReadBy(ctx, ctx.actor.userId, choice);
  if (marked > 0) emit(ctx, { type: 'notification.read', userId: ctx.actor.userId });
  return { unreadTotal: await countUnread(ctx) };
}
