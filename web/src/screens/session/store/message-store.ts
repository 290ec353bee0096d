import { createListeners } from '../../../data/store.ts';
import type { ListMessagesParams, Message } from '@atrium/sdk';
import {
  appendNewer,
  EMPTY_WINDOW,
  prependOlder,
  reachesInto,
  replaceMessages,
  windowOf,
  type Listed,
  type MessageWindow,
} from './window.ts';

/** What a store lists: a session, or one of its threads. */
export type List = (params: ListMessagesParams) => Promise<Listed>;

export interface StoreState extends MessageWindow {
  status: 'loading' | 'ready' | 'failed';
  error?: unknown;
  /** Increases when the window is replaced rather than extended. */
  generation: number;
  olderError?: unknown;
  newerError?: unknown;
  /** Posted from here and not listed yet. Shown last. */
  unplaced: readonly Message[];
  /** FAILED replies that are being retried. */
  retrying: ReadonlySet<string>;
}

interface StoreOptions {
  isThread?: boolean;
  /** Called with messages that are new, whether they belong to the window or not. */
  onArrived?: (messages: readonly Message[], started: number) => void;
}

const PAGE = 100;
/** The newer half of a window of 100 around a message, as the API defines it. */
const NEWER_HALF = 49;
/** With a longer gap than this many pages, the reader stays put and can scroll to the newer messages. */
const MOST_GAP_PAGES = 10;
const RETRY_MS = 5_000;

/** Increases with every request, so that the later of two responses about a message wins. */
let clock = 0;
export const startRequest = (): number => ++clock;

/**
 * The messages of one list in the API's order, without duplicates or gaps between the first and the last.
 * Hints say when to fetch. Responses are merged, and those that arrive too late are ignored.
 */
export class MessageStore {
  readonly isThread: boolean;
  #state: StoreState = {
    ...EMPTY_WINDOW,
    status: 'loading',
    generation: 0,
    unplaced: [],
    retrying: new Set(),
  };
  readonly #list: List;
  readonly #onArrived: (messages: readonly Message[], started: number) => void;
  readonly #listeners = createListeners();
  readonly #versions = new Map<string, number>();
  readonly #held = new Map<string, number>();
  #staleBefore = 0;
  /** Increases when the window is replaced, with or without a new list on the page. */
  #replaced = 0;
  #syncing: Promise<void> | undefined;
  #isSyncWanted = false;
  #syncWantedAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #busy = new Set<'older' | 'newer' | 'refresh'>();

  constructor(list: List, { isThread = false, onArrived = () => {} }: StoreOptions = {}) {
    this.#list = list;
    this.isThread = isThread;
    this.#onArrived = onArrived;
  }

  readonly getState = (): StoreState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribe = this.#listeners.subscribe(listener);
    return () => {
      unsubscribe();
      if (this.#listeners.isEmpty()) clearTimeout(this.#retry);
    };
  };

  find(id: string): Message | undefined {
    return (
      this.#state.messages.find((message) => message.id === id) ??
      this.#state.unplaced.find((message) => message.id === id)
    );
  }

  /** Whether it has the message as the server had it then, or later. */
  isAsOf(id: string, request: number): boolean {
    return (this.#versions.get(id) ?? 0) >= request;
  }

  /** Takes messages that came after the last one, oldest first. If it can't tell, it fetches them. */
  append(messages: readonly Message[], started: number): Promise<void> | undefined {
    const last = this.#state.messages.at(-1);
    if (this.#state.status !== 'ready' || this.#state.hasNewer || this.#syncing) return this.sync();
    if (last && messages.some(({ createdAt }) => createdAt <= last.createdAt)) return this.sync();
    this.#set({ messages: [...this.#state.messages, ...this.#takeNewest(messages, started)] });
    return undefined;
  }

  /** Starts with the newest page. */
  async openLatest(): Promise<void> {
    try {
      const started = startRequest();
      this.#begin(await this.#list({ limit: PAGE }), started, false);
    } catch (error) {
      this.#set({ status: 'failed', error });
    }
  }

  /** Starts with the messages around one. Throws if the list doesn't have it. */
  async openAround(id: string): Promise<void> {
    const started = startRequest();
    const listed = await this.#list({ around: id, limit: PAGE });
    this.#begin(listed, started, hasNewerThan(listed, id));
  }

  /** Another branch is shown, which has this message. A short conversation stays where it is on the page. */
  async reload(id: string): Promise<void> {
    this.#replaced++;
    const started = startRequest();
    const listed = await this.#list({ around: id, limit: PAGE });
    const hasNewer = hasNewerThan(listed, id);
    const isWhole = !listed.hasOlder && !hasNewer && !this.#state.hasOlder;
    if (!isWhole || this.#state.status !== 'ready') return this.#begin(listed, started, hasNewer);
    this.#replaced++;
    this.#set(windowOf({ ...listed, items: this.#takeNewest(listed.items, started) }));
    this.#syncIfMissed(started);
  }

  async loadOlder(): Promise<void> {
    const first = this.#state.messages[0];
    if (!this.#state.hasOlder || !first) return;
    await this.#extend('older', { before: first.id }, (listed) =>
      this.#set(prependOlder(this.#state, listed)),
    );
  }

  async loadNewer(): Promise<void> {
    const last = this.#state.messages.at(-1);
    if (!this.#state.hasNewer || !last) return;
    await this.#extend('newer', { around: last.id }, (listed, started) => {
      const longer = appendNewer(this.#state, listed, hasNewerThan(listed, last.id));
      if (longer) this.#set(longer);
      this.#syncIfMissed(started);
    });
  }

  /** Fetches the newest after something was posted. Many simultaneous calls become two requests. */
  sync(): Promise<void> {
    this.#isSyncWanted = true;
    this.#syncWantedAt = startRequest();
    this.#syncing ??= this.#syncWhileWanted().finally(() => (this.#syncing = undefined));
    return this.#syncing;
  }

  /** After missed hints: fetches the newest, and refetches the rest when it is seen. */
  resync(): Promise<void> {
    this.#staleBefore = startRequest();
    if (this.#state.status === 'failed') return this.openLatest();
    return this.sync();
  }

  /** Called with what is on screen. A thread can't list around a message, so `sync` renews its end. */
  refreshIfStale(ids: readonly string[]): void {
    if (this.isThread) return;
    const stale = ids.find((id) => (this.#versions.get(id) ?? clock) < this.#staleBefore);
    if (stale === undefined || this.#busy.has('refresh')) return;
    this.#busy.add('refresh');
    const started = startRequest();
    this.#list({ around: stale, limit: PAGE })
      .then(({ items }) =>
        this.#set(replaceMessages(this.#state, this.#takeNewest(items, started))),
      )
      .catch(() => this.#versions.set(stale, started))
      .finally(() => this.#busy.delete('refresh'));
  }

  /** Takes one message as the server has it. */
  accept(message: Message, started: number): void {
    if (!this.find(message.id)) return;
    const [fresh] = this.#takeNewest([message], started);
    if (!fresh) return;
    this.#set({
      ...replaceMessages(this.#state, [fresh]),
      unplaced: this.#state.unplaced.map((old) => (old.id === fresh.id ? fresh : old)),
    });
  }

  /** Shows a message posted from here until the list has it. */
  addUnplaced(message: Message): void {
    if (this.find(message.id)) return;
    this.#set({ unplaced: [...this.#state.unplaced, message] });
  }

  /** Shows a change before the server has it. Until `release`, responses don't undo it. */
  hold(id: string, change = (message: Message) => message): void {
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
    const message = this.find(id);
    if (message) this.#set(replaceMessages(this.#state, [change(message)]));
  }

  release(id: string): void {
    const count = (this.#held.get(id) ?? 0) - 1;
    if (count > 0) this.#held.set(id, count);
    else this.#held.delete(id);
  }

  setRetrying(id: string, isRetrying: boolean): void {
    if (this.#state.retrying.has(id) === isRetrying) return;
    const retrying = new Set(this.#state.retrying);
    if (isRetrying) retrying.add(id);
    else retrying.delete(id);
    this.#set({ retrying });
  }

  /** After missed hints: whether a retry has ended is unknown. */
  stopRetrying(): void {
    if (this.#state.retrying.size > 0) this.#set({ retrying: new Set() });
  }

  /** Lists more at one end of the window, unless that is under way. */
  async #extend(
    end: 'older' | 'newer',
    params: ListMessagesParams,
    add: (listed: Listed, started: number) => void,
  ): Promise<void> {
    if (this.#busy.has(end)) return;
    this.#busy.add(end);
    const replaced = this.#replaced;
    const setError = (error: unknown) =>
      this.#set(end === 'older' ? { olderError: error } : { newerError: error });
    setError(undefined);
    try {
      const started = startRequest();
      const listed = await this.#list({ ...params, limit: PAGE });
      if (replaced !== this.#replaced) return;
      add({ ...listed, items: this.#takeNewest(listed.items, started) }, started);
    } catch (error) {
      setError(error);
    } finally {
      this.#busy.delete(end);
    }
  }

  #begin(listed: Listed, started: number, hasNewer: boolean): void {
    const items = this.#takeNewest(listed.items, started);
    const generation = this.#state.generation + 1;
    this.#replaced++;
    this.#set({ ...windowOf({ ...listed, items }, hasNewer), status: 'ready', generation });
    this.#syncIfMissed(started);
  }

  /** A list may lack messages that were posted while it was loading. */
  #syncIfMissed(started: number): void {
    if (this.#syncWantedAt > started) void this.sync();
  }

  async #syncWhileWanted(): Promise<void> {
    while (this.#isSyncWanted) {
      this.#isSyncWanted = false;
      clearTimeout(this.#retry);
      try {
        await this.#syncOnce();
      } catch {
        this.#retry = setTimeout(() => void this.sync(), RETRY_MS);
        return;
      }
    }
  }

  async #syncOnce(): Promise<void> {
    if (this.#state.status !== 'ready') return;
    const replaced = this.#replaced;
    const started = startRequest();
    const newest = await this.#list({ limit: this.isThread ? PAGE : PAGE / 2 });
    const items = [...newest.items];
    let { hasOlder } = newest;
    let pages = 1;
    while (this.#isGap(items) && hasOlder && pages < MOST_GAP_PAGES) {
      const before = items.at(-1)?.id ?? '';
      const older = await this.#list({ before, limit: PAGE });
      items.push(...older.items);
      hasOlder = older.hasOlder;
      pages++;
    }
    if (replaced !== this.#replaced) {
      this.#isSyncWanted = true;
      return;
    }
    this.#merge(this.#takeNewest(items, started), hasOlder, started);
  }

  #isGap(items: readonly Message[]): boolean {
    return !this.#state.hasNewer && !reachesInto(this.#state, items);
  }

  #merge(items: readonly Message[], hasOlder: boolean, started: number): void {
    const known = new Set(this.#state.messages.map(({ id }) => id));
    const arrived = items.filter(({ id }) => !known.has(id));
    const longer = appendNewer(this.#state, { items }, false);
    if (longer) this.#set(longer);
    else if (!hasOlder) this.#set(windowOf({ items, hasOlder }));
    else this.#set({ hasNewer: true });
    if (arrived.length > 0) this.#onArrived(arrived, started);
  }

  /** The newest known version of each message: from the response, or the one already here. */
  #takeNewest(items: readonly Message[], started: number): Message[] {
    return items.map((item) => {
      const known = this.find(item.id);
      const isLate = (this.#versions.get(item.id) ?? 0) > started || this.#held.has(item.id);
      if (known && isLate) return known;
      this.#versions.set(item.id, started);
      return item;
    });
  }

  #set(changes: Partial<StoreState>): void {
    const next = { ...this.#state, ...changes };
    if (next.messages !== this.#state.messages && next.unplaced.length > 0) {
      const placed = new Set(next.messages.map(({ id }) => id));
      next.unplaced = next.unplaced.filter(({ id }) => !placed.has(id));
    }
    this.#state = next;
    this.#listeners.notify();
  }
}

/** Whether the list goes on after a window around a message. One of long messages is shorter than asked for. */
function hasNewerThan({ items, total }: Listed, id: string): boolean {
  const newer = items.findIndex((message) => message.id === id);
  return newer >= NEWER_HALF || (newer > 0 && items.length < Math.min(PAGE, total));
}
