import type { Message } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { appendNewer, prependOlder, replaceMessages, windowOf } from './window.ts';

const message = (id: string, body = id) => ({ id, body }) as Message;
/** Newest first, like the API. */
const listed = (...ids: string[]) => ids.map((id) => message(id)).toReversed();
const ids = (window: { messages: readonly Message[] } | undefined) =>
  window?.messages.map(({ id }) => id).join('');

const window = windowOf({ items: listed('c', 'd', 'e'), hasOlder: true });

describe('a window of messages', () => {
  it('is oldest first', () => expect(ids(window)).toBe('cde'));

  it('adds older messages in front, without duplicates', () => {
    const longer = prependOlder(window, { items: listed('a', 'b', 'c'), hasOlder: false });
    expect(ids(longer)).toBe('abcde');
    expect(longer.hasOlder).toBe(false);
  });

  it('adds newer messages that overlap with it', () => {
    expect(ids(appendNewer(window, { items: listed('d', 'e', 'f', 'g') }, false))).toBe('cdefg');
  });

  it('refuses newer messages after a gap', () => {
    expect(appendNewer(window, { items: listed('g', 'h') }, false)).toBeUndefined();
  });

  it('takes changes from the newer list', () => {
    const items = [message('e', 'edited'), message('d')];
    expect(appendNewer(window, { items }, false)?.messages.at(-1)?.body).toBe('edited');
  });

  it('stays the same object if nothing changed', () => {
    expect(replaceMessages(window, listed('c', 'd'))).toBe(window);
    expect(replaceMessages(window, [message('c', 'x')])).not.toBe(window);
    expect(appendNewer(window, { items: listed('d', 'e') }, false)?.messages).toBe(window.messages);
  });
});
