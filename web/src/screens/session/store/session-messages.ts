import { AtriumError, type Atrium, type Message, type RetryMessage } from '@atrium/sdk';
import type { Hint } from '../../../data/live.ts';
import { createTurns } from '../../../data/turns.ts';
import { MessageStore, startRequest, type List } from './message-store.ts';

const TOGETHER_MS = 20;

/** The lists of a session that are on screen: its messages and the open thread. */
export class SessionMessages {
  readonly main: MessageStore;
  readonly #client: Atrium;
  readonly #slug: string;
  readonly #sessionId: string;
  readonly #threads = new Map<string, MessageStore>();
  readonly #turns = createTurns();
  #soon: Promise<void> | undefined;

  constructor(client: Atrium, slug: string, sessionId: string) {
    this.#client = client;
    this.#slug = slug;
    this.#sessionId = sessionId;
    this.main = new MessageStore(this.#listOf(undefined), {
      onArrived: (arrived, started) => this.#passOn(arrived, started),
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
    if (hint.type === 'message.created') void this.#syncSoon();
    else if (hint.change === 'BRANCHED') void this.main.reload(hint.messageId).catch(() => {});
    else void this.#refreshUnlessListed(hint.messageId);
  }

  /** Shows a message posted from here immediately, and in its place once the list has it. */
  addPosted(message: Message): void {
    const store = message.parentMessageId ? this.#threads.get(message.parentMessageId) : this.main;
    store?.addUnplaced(message);
    void this.#syncSoon();
  }

  /** Shows a change immediately, sends it, and then shows what the server has. */
  async change(
    id: string,
    make: () => PromiseLike<unknown>,
    preview?: (message: Message) => Message,
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

  /** Asks a question again. What it replaces is no longer shown. */
  async askAgain(id: string, params: RetryMessage): Promise<Message> {
    const asked = await this.#client.messages.retry(this.#slug, id, params);
    await this.main.reload(asked.id);
    return asked;
  }

  /** Shows the branch that has this message. */
  async showBranch(id: string): Promise<Message> {
    const shown = await this.#client.messages.showBranch(this.#slug, id);
    await this.main.reload(id);
    return shown;
  }

  /** Hints say when the reply has landed. If it ended first, there is nothing left to stop. */
  async stopReply(questionId: string, mention: string): Promise<void> {
    try {
      await this.#client.messages.stopReply(this.#slug, questionId, mention);
    } catch (error) {
      if (!(error instanceof AtriumError) || error.reason !== 'reply_ended') throw error;
      void this.#syncAll();
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
      const asked = { ...params, ...of };
      const page = await this.#client.messages.list(this.#slug, this.#sessionId, asked);
      const { items, hasNextPage, total = items.length } = page;
      return { items, hasOlder: hasNextPage, total };
    };
  }

  /** Replies also go to their thread, if it is open. Their parent has a new count, even if it is far above. */
  #passOn(arrived: readonly Message[], started: number): void {
    for (const [parent, replies] of Map.groupBy(arrived, (message) => message.parentMessageId)) {
      if (parent === null) continue;
      void this.#threads.get(parent)?.append(replies.toReversed(), started);
      if (!this.main.isAsOf(parent, started)) void this.#refresh(parent);
    }
  }

  /** Hints of one commit come together. One request after all of them has everything they are about. */
  #syncSoon(): Promise<void> {
    this.#soon ??= new Promise<void>((resolve) => setTimeout(resolve, TOGETHER_MS)).then(() => {
      this.#soon = undefined;
      return this.#sync();
    });
    return this.#soon;
  }

  /** What arrives in the session is passed on to the open thread. Before it is there, each looks for itself. */
  #sync(): Promise<void> {
    return this.main.getState().status === 'ready' ? this.main.sync() : this.#syncAll();
  }

  /** What was listed after the hint came has the change. */
  async #refreshUnlessListed(id: string): Promise<void> {
    const heard = startRequest();
    await this.#soon;
    if (!this.main.isAsOf(id, heard)) await this.#refresh(id);
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

  async #syncAll(): Promise<void> {
    await Promise.all(this.#stores().map((store) => store.sync()));
  }

  async #refresh(id: string): Promise<void> {
    if (!this.#stores().some((store) => store.find(id))) return;
    await this.#turns.take(id, async () => {
      const started = startRequest();
      try {
        const fresh = await Promise.all(
          this.#withQuestion(id).map((one) => this.#client.messages.get(this.#slug, one)),
        );
        if (fresh.some((message) => this.#hasLessPending(message))) await this.#syncAll();
        for (const store of this.#stores()) {
          for (const message of fresh) store.accept(message, started);
        }
        this.#setRetrying(id, false);
      } catch {
        // No connection. The next resync fetches it again.
      }
    });
  }
}
