import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import { postAndWait, type PostedWithReplies, type WaitOptions } from '../post-and-wait.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateMessage,
  CreateReaction,
  ListMessagesParams,
  Message,
  Reaction,
  UpdateMessage,
} from '../types.ts';

/** Messages: what is said in a session. */
export class Messages {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The messages of a session, newest first; while you page back, new ones change nothing. */
  list(
    slug: string,
    sessionId: string,
    params?: ListMessagesParams,
    options?: RequestOptions,
  ): PageCall<Message> {
    return this.#api.list(
      '/spaces/{slug}/sessions/{sessionId}/messages',
      [slug, sessionId],
      params,
      options,
    );
  }

  /** Posts a message. Those whom it mentions answer later: `postAndWait` waits for them. */
  post(
    slug: string,
    sessionId: string,
    params: CreateMessage,
    options?: RequestOptions,
  ): Call<Message> {
    return this.#api.call(
      'POST',
      '/spaces/{slug}/sessions/{sessionId}/messages',
      [slug, sessionId],
      params,
      options,
    );
  }

  /**
   * Posts a message, then asks for the list until every model it mentions has answered, or the time
   * is up. A reply that failed is there too, with `status: 'FAILED'`.
   */
  postAndWait(
    slug: string,
    sessionId: string,
    params: CreateMessage,
    options?: WaitOptions,
  ): Promise<PostedWithReplies> {
    return postAndWait(this.#api, { slug, sessionId, params }, options);
  }

  /** A message by its id. A deleted one is still there, with an empty body. */
  get(slug: string, messageId: string, options?: RequestOptions): Call<Message> {
    return this.#api.call(
      'GET',
      '/spaces/{slug}/messages/{messageId}',
      [slug, messageId],
      undefined,
      options,
    );
  }

  /** Changes the text of a message of yours. Nobody answers an edit. */
  edit(
    slug: string,
    messageId: string,
    params: UpdateMessage,
    options?: RequestOptions,
  ): Call<Message> {
    return this.#api.call(
      'PATCH',
      '/spaces/{slug}/messages/{messageId}',
      [slug, messageId],
      params,
      options,
    );
  }

  /** Erases a message; an empty one stays in its place. */
  delete(slug: string, messageId: string, options?: RequestOptions): Call<void> {
    return this.#api.call(
      'DELETE',
      '/spaces/{slug}/messages/{messageId}',
      [slug, messageId],
      undefined,
      options,
    );
  }

  /** Makes an agent try again where its reply failed. The reply keeps its id. */
  retry(slug: string, messageId: string, options?: RequestOptions): Call<Message> {
    return this.#api.call(
      'POST',
      '/spaces/{slug}/messages/{messageId}/retry',
      [slug, messageId],
      undefined,
      options,
    );
  }

  /** Reacts to a message. Reacting twice with one emoji is one reaction. */
  react(
    slug: string,
    messageId: string,
    params: CreateReaction,
    options?: RequestOptions,
  ): Call<Reaction> {
    return this.#api.call(
      'POST',
      '/spaces/{slug}/messages/{messageId}/reactions',
      [slug, messageId],
      params,
      options,
    );
  }

  /** Takes a reaction of yours back. */
  unreact(slug: string, messageId: string, emoji: string, options?: RequestOptions): Call<void> {
    return this.#api.call(
      'DELETE',
      '/spaces/{slug}/messages/{messageId}/reactions/{emoji}',
      [slug, messageId, emoji],
      undefined,
      options,
    );
  }
}
