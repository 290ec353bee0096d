import type { Message } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { appendNewer, prependOlder, replaceMessages, windowOf } from './window.ts';

const message = (id: string, body = id) => ({ id, body }) as Message;
/** As the API lists: newest first. */
const listed = (...ids: string[]) => ids.map((id) => message(id)).toReversed();
const ids = (window: { messages: readonly Message[] } | undefined) =>
  window?.messages.map(({ id }) => id).join('');

const window = windowOf({ items: listed('c', 'd', 'e'), hasOlder: true });

describe('a window of messages', () => {
  it('is oldest first', () => expect(ids(window)).toBe('cde'));

  it('takes older ones in front, none twice', () => {
    const longer = prependOlder(window, { items: listed('a', 'b', 'c'), hasOlder: false });
    expect(ids(longer)).toBe('abcde');
    expect(longer.hasOlder).toBe(false);
  });

  it('takes newer ones that reach back into it', () => {
    expect(ids(appendNewer(window, { items: listed('d', 'e', 'f', 'g') }, false))).toBe('cdefg');
  });

  it('refuses newer ones with a gap before them', () => {
    expect(appendNewer(window, { items: listed('g', 'h') }, false)).toBeUndefined();
  });

  it('takes what changed from the newer list', () => {
    const items = [message('e', 'edited'), message('d')];
    expect(appendNewer(window, { items }, false)?.messages.at(-1)?.body).toBe('edited');
  });

  it('stays the same object where nothing differs', () => {
    expect(replaceMessages(window, listed('c', 'd'))).toBe(window);
    expect(replaceMessages(window, [message('c', 'x')])).not.toBe(window);
    expect(appendNewer(window, { items: listed('d', 'e') }, false)?.messages).toBe(window.messages);
  });
});
