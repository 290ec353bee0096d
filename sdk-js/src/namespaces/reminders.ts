import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type { CreateReminder, ListRemindersParams, Reminder, UpdateReminder } from '../types.ts';

/** What you want to be told again later: a message, a task, or your own words. */
export class Reminders {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Sets a reminder: send one of `messageId`, `taskId` and `text`. You are told once, in your inbox. */
  create(params: CreateReminder, options?: RequestOptions): Call<Reminder> {
    return this.#api.path('/reminders').post(params, options);
  }

  /** Lists your reminders that are not due yet, the next one first. */
  list(params?: ListRemindersParams, options?: RequestOptions): PageCall<Reminder> {
    return this.#api.path('/reminders').list(params, options);
  }

  /** Changes a reminder's time, or your own words. */
  update(id: string, params: UpdateReminder, options?: RequestOptions): Call<Reminder> {
    return this.#api.path('/reminders/{id}', id).patch(params, options);
  }

  /** Cancels a reminder before its time. */
  cancel(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/reminders/{id}', id).delete(options);
  }
}
