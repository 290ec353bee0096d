import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateSession,
  ListSessionsParams,
  MarkRead,
  Session,
  UpdateSession,
} from '../types.ts';

/** Sessions: conversations in a Project, which is named by its slug. */
export class Sessions {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The sessions of a Project; `status: 'ARCHIVED'` lists the archived ones instead. */
  list(slug: string, params?: ListSessionsParams, options?: RequestOptions): PageCall<Session> {
    return this.#api.list('/spaces/{slug}/sessions', [slug], params, options);
  }

  /** Opens a session. You are a participant of it. */
  create(slug: string, params: CreateSession, options?: RequestOptions): Call<Session> {
    return this.#api.call('POST', '/spaces/{slug}/sessions', [slug], params, options);
  }

  /** A session by its id, archived ones too. */
  get(slug: string, sessionId: string, options?: RequestOptions): Call<Session> {
    return this.#api.call(
      'GET',
      '/spaces/{slug}/sessions/{sessionId}',
      [slug, sessionId],
      undefined,
      options,
    );
  }

  /** Changes the title or the model that answers `@model`. */
  update(
    slug: string,
    sessionId: string,
    params: UpdateSession,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api.call(
      'PATCH',
      '/spaces/{slug}/sessions/{sessionId}',
      [slug, sessionId],
      params,
      options,
    );
  }

  /** Archives a session. Its messages stay, and can be read. */
  archive(slug: string, sessionId: string, options?: RequestOptions): Call<void> {
    return this.#api.call(
      'DELETE',
      '/spaces/{slug}/sessions/{sessionId}',
      [slug, sessionId],
      undefined,
      options,
    );
  }

  /** Sets your read mark, from which `unreadCount` counts. */
  markRead(
    slug: string,
    sessionId: string,
    params: MarkRead,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api.call(
      'PUT',
      '/spaces/{slug}/sessions/{sessionId}/read',
      [slug, sessionId],
      params,
      options,
    );
  }
}
