import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateSession,
  ListSessionsParams,
  MarkRead,
  Session,
  SessionDetails,
  UpdateSession,
} from '../types.ts';

/** Sessions: conversations in a Project. `slug` is the Project's slug. */
export class Sessions {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists a Project's sessions. Pass `status: 'ARCHIVED'` to list the archived ones instead. */
  list(slug: string, params?: ListSessionsParams, options?: RequestOptions): PageCall<Session> {
    return this.#api.path('/spaces/{slug}/sessions', slug).list(params, options);
  }

  /** Creates a session. You become a participant. `access: 'PARTICIPANTS'` makes it private. */
  create(slug: string, params: CreateSession, options?: RequestOptions): Call<Session> {
    return this.#api.path('/spaces/{slug}/sessions', slug).post(params, options);
  }

  /** Gets a session by id, archived or not. */
  get(slug: string, sessionId: string, options?: RequestOptions): Call<SessionDetails> {
    return this.#api.path('/spaces/{slug}/sessions/{sessionId}', slug, sessionId).get(options);
  }

  /** Updates the title, the model that replies to `@model`, or the participants. */
  update(
    slug: string,
    sessionId: string,
    params: UpdateSession,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}', slug, sessionId)
      .patch(params, options);
  }

  /** Archives a session. Its messages stay readable. */
  archive(slug: string, sessionId: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/spaces/{slug}/sessions/{sessionId}', slug, sessionId).delete(options);
  }

  /** Undoes an archive. */
  restore(slug: string, sessionId: string, options?: RequestOptions): Call<Session> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/restore', slug, sessionId)
      .post(undefined, options);
  }

  /** Sets your read mark. `unreadCount` counts the messages after it. */
  markRead(
    slug: string,
    sessionId: string,
    params: MarkRead,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/read', slug, sessionId)
      .put(params, options);
  }
}
