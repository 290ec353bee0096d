import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  ListNotificationsParams,
  MarkNotificationsRead,
  Notification,
  NotificationCount,
} from '../types.ts';

/** What you were told: mentions, replies in threads, answers of agents, tasks. */
export class Notifications {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists your notifications, newest first. The page's `unreadTotal` counts all unread ones. */
  list(params?: ListNotificationsParams, options?: RequestOptions): PageCall<Notification> {
    return this.#api.path('/notifications').list(params, options);
  }

  /** Marks as read: those with these `ids`, all `until` a time, or all about a task. */
  markRead(params?: MarkNotificationsRead, options?: RequestOptions): Call<NotificationCount> {
    return this.#api.path('/notifications/read').put(params, options);
  }
}
