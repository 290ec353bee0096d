import { AtriumError, type Atrium, type Message } from '@atrium/sdk';
import type { Hint } from '../../../data/live.ts';
import { MessageStore, startRequest, type List } from './message-store.ts';

/** The lists of a session that are on screen: its messages and the open thread. */
export class SessionMessages {
  readonly main: MessageStore;
  readonly #client: Atrium;
  readonly #slug: string;
  readonly #sessionId: string;
  readonly #threads = new Map<string, MessageStore>();
  /** Messages being fetched. True if one changed again meanwhile. */
  readonly #asking = new Map<string, boolean>();

  constructor(client: Atrium, slug: string, sessionId: string) {
    this.#client = client;
    this.#slug = slug;
    this.#sessionId = sessionId;
    this.main = new MessageStore(this.#listOf(undefined), {
      onArrived: (arrived) => this.#countReplies(arrived),
    });
  }

  /** The replies to one message, kept up to date from `openThread` until the function it returns is called. */
  createThread(parentMessageId: string): MessageStore {
    return new MessageStore(this.#listOf(parentMessageId), { isThread: true });
  }

  openThread(parentMessageId: string, thread: MessageStore): () => void {
    this.#threads.set(parentMessageId, thread);
    void thread.openLatest();
    return () => void this.#threads.delete(parentMessageId);
  }

  follow(hint: Hint): void {
    if (hint.type === 'resync') {
      for (const store of this.#stores()) {
        store.stopRetrying();
        void store.resync();
      }
    }
    if (!('messageId' in hint) || hint.sessionId !== this.#sessionId) return;
    if (hint.type === 'message.created') this.syncAll();
    else void this.#refresh(hint.messageId);
  }

  /** Shows a message posted from here immediately, and in its place once the list has it. */
  addPosted(message: Message): void {
    const store = message.parentMessageId ? this.#threads.get(message.parentMessageId) : this.main;
    store?.addUnplaced(message);
    this.syncAll();
  }

  syncAll(): void {
    void this.#syncStores();
  }

  /** Shows a change immediately, sends it, and then shows what the server has. */
  async change(
    id: string,
    preview: (message: Message) => Message,
    make: () => PromiseLike<unknown>,
  ): Promise<void> {
    const stores = this.#stores();
    for (const store of stores) store.hold(id, preview);
    try {
      await make();
    } finally {
      for (const store of stores) store.release(id);
      await this.#refresh(id);
    }
  }

  async retryReply(id: string): Promise<void> {
    this.#setRetrying(id, true);
    try {
      await this.#client.messages.retry(this.#slug, id);
    } catch (error) {
      this.#setRetrying(id, false);
      throw error;
    }
  }

  /** Hints say when the reply has landed. If it ended first, there is nothing left to stop. */
  async stopReply(questionId: string, mention: string): Promise<void> {
    try {
      await this.#client.messages.stopReply(this.#slug, questionId, mention);
    } catch (error) {
      if (!(error instanceof AtriumError) || error.reason !== 'reply_ended') throw error;
      this.syncAll();
    }
  }

  #stores(): MessageStore[] {
    return [this.main, ...this.#threads.values()];
  }

  #setRetrying(id: string, isRetrying: boolean): void {
    for (const store of this.#stores()) store.setRetrying(id, isRetrying);
  }

  #listOf(parentMessageId: string | undefined): List {
    const of = parentMessageId === undefined ? {} : { parentMessageId };
    return async (params) => {
      const page = await this.#client.messages.list(this.#slug, this.#sessionId, {
        ...params,
        ...of,
      });
      const { items, hasNextPage, total = items.length } = page;
      return { items, hasOlder: hasNextPage, total };
    };
  }

  /** A reply changes the count of its parent message, even if that is far above. */
  #countReplies(arrived: readonly Message[]): void {
    const parents = new Set(arrived.map(({ parentMessageId }) => parentMessageId));
    for (const parent of parents) if (parent) void this.#refresh(parent);
  }

  /** A reply has landed. It must be listed first, or it would be gone from the page for a moment. */
  #hasLessPending({ id, pendingReplies }: Message): boolean {
    return this.#stores().some(
      (store) => pendingReplies.length < (store.find(id)?.pendingReplies.length ?? 0),
    );
  }

  /** A retried reply lands with a change of its question. Without that, the unfinished one would stay beside it. */
  #withQuestion(id: string): string[] {
    const find = (wanted: string) => this.#stores().flatMap((store) => store.find(wanted) ?? [])[0];
    const question = find(find(id)?.inReplyToMessageId ?? '');
    return question ? [id, question.id] : [id];
  }

  async #syncStores(): Promise<void> {
    await Promise.all(this.#stores().map((store) => store.sync()));
  }

  async #refresh(id: string): Promise<void> {
    if (!this.#stores().some((store) => store.find(id))) return;
    if (this.#asking.has(id)) {
      this.#asking.set(id, true);
      return;
    }
    do {
      this.#asking.set(id, false);
      const started = startRequest();
      try {
        const fresh = await Promise.all(
          this.#withQuestion(id).map((one) => this.#client.messages.get(this.#slug, one)),
        );
        if (fresh.some((message) => this.#hasLessPending(message))) await this.#syncStores();
        for (const store of this.#stores()) {
          for (const message of fresh) store.accept(message, started);
        }
        this.#setRetrying(id, false);
      } catch {
        // No connection. The next resync fetches it again.
      }
    } while (this.#asking.get(id) === true);
    this.#asking.delete(id);
  }
}
