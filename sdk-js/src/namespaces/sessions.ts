import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateSession,
  FollowSession,
  ListAllSessionsParams,
  ListSessionsParams,
  MarkRead,
  MarkUnread,
  MuteSession,
  OpenDirect,
  Session,
  SessionDetails,
  SessionReach,
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

  /**
   * Lists the sessions of all your Projects, unread ones first. Pass `followed: true` for those that you follow.
   * `unreadTotal` counts unread messages.
   */
  listAll(params?: ListAllSessionsParams, options?: RequestOptions): PageCall<Session> {
    return this.#api.path('/sessions').list(params, options);
  }

  /** Creates a session. You become a participant. `access: 'PARTICIPANTS'` makes it private. */
  create(slug: string, params: CreateSession, options?: RequestOptions): Call<Session> {
    return this.#api.path('/spaces/{slug}/sessions', slug).post(params, options);
  }

  /**
   * Returns the one conversation of you and these people, and makes it if you have none. Its `slug` in other methods
   * is `direct`.
   */
  openDirect(params: OpenDirect, options?: RequestOptions): Call<Session> {
    return this.#api.path('/direct').post(params, options);
  }

  /** Gets a session by id, archived or not. */
  get(slug: string, sessionId: string, options?: RequestOptions): Call<SessionDetails> {
    return this.#api.path('/spaces/{slug}/sessions/{sessionId}', slug, sessionId).get(options);
  }

  /** Updates the title, the model that replies to `@model`, the participants, when it replies, or whether it is for everyone. */
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

  /** Sets your read mark in a session, or with `parentMessageId` in a thread. */
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

  /** Makes a message and everything after it unread again. */
  markUnread(
    slug: string,
    sessionId: string,
    params: MarkUnread,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/unread', slug, sessionId)
      .put(params, options);
  }

  /** Marks everything in your Projects as read, threads included. */
  markAllRead(options?: RequestOptions): Call<void> {
    return this.#api.path('/sessions/read').put(undefined, options);
  }

  /** Follows a session, and with `level` says what to be told about there. */
  follow(
    slug: string,
    sessionId: string,
    params?: FollowSession,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/follow', slug, sessionId)
      .put(params, options);
  }

  /** Leaves a session, until you write in it or are mentioned. You can still read it. */
  leave(slug: string, sessionId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/follow', slug, sessionId)
      .delete(options);
  }

  /** Counts whom a message with @here or @everyone would tell now, without you. */
  getReach(slug: string, sessionId: string, options?: RequestOptions): Call<SessionReach> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/reach', slug, sessionId)
      .get(options);
  }

  /** Sets your level in a session to NONE, or back to ALL. */
  mute(
    slug: string,
    sessionId: string,
    params: MuteSession,
    options?: RequestOptions,
  ): Call<Session> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/mute', slug, sessionId)
      .put(params, options);
  }
}
