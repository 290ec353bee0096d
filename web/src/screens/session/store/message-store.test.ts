import type { ListMessagesParams, Message } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { MessageStore, startRequest } from './message-store.ts';

/** Lists like the API: newest first, with 49 newer messages in a window around one. */
class FakeSession {
  messages: Message[] = [];
  requests = 0;
  /** As if the messages were so long that a page has no room for more. */
  mostPerPage = Infinity;
  /** Set to delay responses. */
  delay: Promise<void> = Promise.resolve();

  post(count: number): void {
    for (let nth = 0; nth < count; nth++) {
      const id = `m${this.messages.length + 1}`;
      this.messages.push({ id, body: id, parentMessageId: null } as Message);
    }
  }

  list = async ({ before, around, limit = 50 }: ListMessagesParams) => {
    this.requests++;
    const at = this.messages.findIndex(({ id }) => id === (before ?? around));
    if ((before ?? around) && at === -1) throw new Error('names no message');
    const end = before ? at : around ? at + 1 + Math.floor((limit - 1) / 2) : undefined;
    const whole = this.messages.slice(0, end).slice(-limit).toReversed();
    const middle = around ? whole.findIndex(({ id }) => id === around) : 0;
    const nearest = whole.toSorted((a, b) => {
      const [first, second] = [a, b].map((one) => Math.abs(whole.indexOf(one) - middle));
      return (first as number) - (second as number);
    });
    const kept = new Set(nearest.slice(0, this.mostPerPage));
    const items = whole.filter((message) => kept.has(message));
    const hasOlder = items.length > 0 && items.at(-1) !== this.messages[0];
    await this.delay;
    return { items, hasOlder, total: this.messages.length };
  };
}

async function openSession(count: number) {
  const session = new FakeSession();
  session.post(count);
  const store = new MessageStore(session.list);
  await store.openLatest();
  const shown = () => store.getState().messages.map(({ id }) => id);
  const expected = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, nth) => `m${from + nth}`);
  return { session, store, shown, expected };
}

describe('the message store', () => {
  it('pages back to the first message', async () => {
    const { store, shown, expected } = await openSession(250);
    await store.loadOlder();
    await store.loadOlder();
    await store.loadOlder();
    expect(shown()).toEqual(expected(1, 250));
    expect(store.getState().hasOlder).toBe(false);
  });

  it('fills the gap after a break', async () => {
    const { session, store, shown, expected } = await openSession(10);
    session.post(330);
    await store.resync();
    expect(shown()).toEqual(expected(1, 340));
  });

  it('pages forward from a linked message to the newest', async () => {
    const { session, store, shown, expected } = await openSession(400);
    await store.openAround('m100');
    expect(store.getState().hasNewer).toBe(true);
    session.post(5);
    await store.sync();
    while (store.getState().hasNewer) await store.loadNewer();
    expect(shown()).toEqual(expected(50, 405));
    session.post(1);
    await store.sync();
    expect(shown()).toEqual(expected(50, 406));
  });

  it.each([40, 80, 400])('pages through %s messages that are long', async (count) => {
    const { session, store, shown, expected } = await openSession(count);
    session.mostPerPage = 7;
    await store.openAround('m20');
    while (store.getState().hasNewer) await store.loadNewer();
    while (store.getState().hasOlder) await store.loadOlder();
    expect(shown()).toEqual(expected(1, count));
  });

  it('knows the end of a short session', async () => {
    const { store, session } = await openSession(30);
    await store.openAround('m20');
    expect(store.getState().hasNewer).toBe(false);
    expect(session.requests).toBe(2);
  });

  it('misses nothing posted while it opens', async () => {
    const { session, store, shown, expected } = await openSession(100);
    const { promise, resolve } = Promise.withResolvers<void>();
    session.delay = promise;
    const opening = store.openAround('m99');
    session.post(1);
    const syncing = store.sync();
    session.delay = Promise.resolve();
    resolve();
    await Promise.all([opening, syncing]);
    await store.sync();
    expect(shown()).toEqual(expected(1, 101));
  });

  it('makes two requests for many simultaneous hints', async () => {
    const { session, store } = await openSession(5);
    const before = session.requests;
    await Promise.all(Array.from({ length: 20 }, () => store.sync()));
    expect(session.requests - before).toBeLessThanOrEqual(2);
  });

  it('ignores a response that is older than what it has', async () => {
    const { store } = await openSession(3);
    const [early, late] = [startRequest(), startRequest()];
    const changed = (body: string) => ({ id: 'm2', body, parentMessageId: null }) as Message;
    store.accept(changed('new'), late);
    store.accept(changed('old'), early);
    expect(store.find('m2')?.body).toBe('new');
  });

  it('keeps a change that is being sent to the server', async () => {
    const { store } = await openSession(3);
    store.hold('m3', (message) => ({ ...message, body: 'mine' }));
    await store.sync();
    expect(store.find('m3')?.body).toBe('mine');
    store.release('m3');
    await store.sync();
    expect(store.find('m3')?.body).toBe('m3');
  });

  it('shows a posted message once', async () => {
    const { session, store, shown, expected } = await openSession(3);
    session.post(1);
    store.addUnplaced(session.messages.at(-1) as Message);
    expect(store.getState().unplaced).toHaveLength(1);
    await store.sync();
    expect(store.getState().unplaced).toHaveLength(0);
    expect(shown()).toEqual(expected(1, 4));
  });
});

describe('another branch', () => {
  it('takes the place of what was shown, on the same page if it is short', async () => {
    const { session, store, shown } = await openSession(6);
    const { generation } = store.getState();
    // A list of the earlier branch that arrives late changes nothing.
    const gate = Promise.withResolvers<void>();
    session.delay = gate.promise;
    const late = store.sync();
    session.messages = session.messages.slice(0, 2);
    session.post(1);
    session.messages[2] = { ...session.messages[2], id: 'other' } as Message;
    session.delay = Promise.resolve();
    await store.reload('other');
    expect(shown()).toEqual(['m1', 'm2', 'other']);
    gate.resolve();
    await late;
    expect(shown()).toEqual(['m1', 'm2', 'other']);
    expect(store.getState().generation).toBe(generation);
  });

  it('opens a new window in a long conversation', async () => {
    const { session, store, shown, expected } = await openSession(300);
    const { generation } = store.getState();
    session.messages = session.messages.slice(0, 200);
    await store.reload('m120');
    expect(shown()).toEqual(expected(70, 169));
    expect(store.getState()).toMatchObject({ generation: generation + 1, hasNewer: true });
  });
});
