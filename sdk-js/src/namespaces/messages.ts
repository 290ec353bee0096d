import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { PostedWithReplies, WaitOptions } from '../post-and-wait.ts';
import { streamEvents, type EventStream } from '../stream.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateMessage,
  CreateReaction,
  ListMessagesParams,
  ListPinsParams,
  ListSavedParams,
  ListScheduledMessagesParams,
  ListThreadsParams,
  Message,
  MessageMatches,
  Reaction,
  RetryMessage,
  SavedMessage,
  ScheduledMessage,
  SearchMessages,
  Thread,
  UpdateMessage,
  UpdateScheduledMessage,
} from '../types.ts';

/** Messages in a session. */
export class Messages {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists a session's messages, newest first. New messages don't shift the pages you read. */
  list(
    slug: string,
    sessionId: string,
    params?: ListMessagesParams,
    options?: RequestOptions,
  ): PageCall<Message> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/messages', slug, sessionId)
      .list(params, options);
  }

  /** Lists the threads that you take part in, in all your Projects, unread ones first. */
  listThreads(params?: ListThreadsParams, options?: RequestOptions): PageCall<Thread> {
    return this.#api.path('/threads').list(params, options);
  }

  /**
   * Posts a message, or at a later time, `sendAt`. Mentioned agents reply later. Use `postAndWait` to wait for
   * their replies.
   */
  post(
    slug: string,
    sessionId: string,
    params?: CreateMessage,
    options?: RequestOptions,
  ): Call<Message> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/messages', slug, sessionId)
      .post(params, options);
  }

  /** Lists your messages that are sent later, the next one first, and those that could not be sent. */
  listScheduled(
    params?: ListScheduledMessagesParams,
    options?: RequestOptions,
  ): PageCall<ScheduledMessage> {
    return this.#api.path('/scheduled-messages').list(params, options);
  }

  /** Changes the text or the time of a scheduled message. A new time tries a failed one again. */
  updateScheduled(
    id: string,
    params: UpdateScheduledMessage,
    options?: RequestOptions,
  ): Call<ScheduledMessage> {
    return this.#api.path('/scheduled-messages/{id}', id).patch(params, options);
  }

  /** Cancels a scheduled message before it is sent. */
  cancelScheduled(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/scheduled-messages/{id}', id).delete(options);
  }

  /**
   * Posts a message, then polls until every mentioned agent has replied or the timeout expires.
   * A failed reply is included, with `status: 'FAILED'`. `onDelta` sees replies while they are written.
   */
  async postAndWait(
    slug: string,
    sessionId: string,
    params: CreateMessage,
    options?: WaitOptions,
  ): Promise<PostedWithReplies> {
    const { postAndWait } = await import('../post-and-wait.ts');
    return postAndWait(this.#api, { slug, sessionId, params }, options);
  }

  /**
   * Follows a session: new and changed messages, and replies while they are written. It reconnects when
   * the connection is lost; after each `resync`, list the messages again. Break out of the loop to end it.
   */
  stream(slug: string, sessionId: string, options?: RequestOptions): EventStream {
    return streamEvents(this.#api, [slug, sessionId], options);
  }

  /** Finds messages by their words, in all sessions you may read, best match first. Counts as a read. */
  search(params: SearchMessages, options?: RequestOptions): Call<MessageMatches> {
    return this.#api.path('/messages/search').search(params, options);
  }

  /** Gets a message by id. A deleted message is still returned, with an empty body. */
  get(slug: string, messageId: string, options?: RequestOptions): Call<Message> {
    return this.#api.path('/spaces/{slug}/messages/{messageId}', slug, messageId).get(options);
  }

  /** Edits one of your messages, or hides its link previews. Agents don't reply to an edit. */
  edit(
    slug: string,
    messageId: string,
    params: UpdateMessage,
    options?: RequestOptions,
  ): Call<Message> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}', slug, messageId)
      .patch(params, options);
  }

  /** Deletes a message. An empty message stays in its place. */
  delete(slug: string, messageId: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/spaces/{slug}/messages/{messageId}', slug, messageId).delete(options);
  }

  /**
   * Asks an agent to try a failed or stopped reply again. The reply keeps its id. With a question of yours, in a
   * session where you are the only person, it asks again and returns the new question. The earlier one is kept as a branch.
   */
  retry(
    slug: string,
    messageId: string,
    params?: RetryMessage,
    options?: RequestOptions,
  ): Call<Message> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/retry', slug, messageId)
      .post(params, options);
  }

  /** Switches to the branch that the message is in, which lists and agents have from then on. */
  showBranch(slug: string, messageId: string, options?: RequestOptions): Call<Message> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/branch', slug, messageId)
      .put(undefined, options);
  }

  /** Stops the reply to a mention of this message. What was written lands with `status: 'STOPPED'`. */
  stopReply(
    slug: string,
    messageId: string,
    mention: string,
    options?: RequestOptions,
  ): Call<Message> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/replies/{mention}/stop', slug, messageId, mention)
      .post(undefined, options);
  }

  /**
   * Adds a reaction: one emoji that Unicode 16.0 recommends, such as 🎉 or 👍🏽. A message has at most 20
   * different ones. Adding the same emoji again returns the same reaction.
   */
  react(
    slug: string,
    messageId: string,
    params: CreateReaction,
    options?: RequestOptions,
  ): Call<Reaction> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/reactions', slug, messageId)
      .post(params, options);
  }

  /** Removes one of your reactions. */
  unreact(slug: string, messageId: string, emoji: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/reactions/{emoji}', slug, messageId, emoji)
      .delete(options);
  }

  /** Pins a message in its session, for everyone who can read it. */
  pin(slug: string, messageId: string, options?: RequestOptions): Call<Message> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/pin', slug, messageId)
      .put(undefined, options);
  }

  /** Unpins a message. */
  unpin(slug: string, messageId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/pin', slug, messageId)
      .delete(options);
  }

  /** Lists a session's pinned messages, the last pinned first. */
  listPins(
    slug: string,
    sessionId: string,
    params?: ListPinsParams,
    options?: RequestOptions,
  ): PageCall<Message> {
    return this.#api
      .path('/spaces/{slug}/sessions/{sessionId}/pins', slug, sessionId)
      .list(params, options);
  }

  /** Saves a message for later. Nobody else sees it. */
  save(slug: string, messageId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/saved', slug, messageId)
      .put(undefined, options);
  }

  /** Removes a message from your saved ones. */
  unsave(slug: string, messageId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/spaces/{slug}/messages/{messageId}/saved', slug, messageId)
      .delete(options);
  }

  /** Lists the messages you saved and may still read, the last saved first. */
  listSaved(params?: ListSavedParams, options?: RequestOptions): PageCall<SavedMessage> {
    return this.#api.path('/saved').list(params, options);
  }
}
