import type { Message } from '@atrium/sdk';

/** A run of messages without a gap, oldest first, and whether the API has more at either end. */
export interface MessageWindow {
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
}

/** What the API returns, newest first. */
export interface Listed {
  items: readonly Message[];
  hasOlder: boolean;
  /** The number of messages on all pages. */
  total: number;
}

export const EMPTY_WINDOW: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

export function windowOf(
  { items, hasOlder }: Omit<Listed, 'total'>,
  hasNewer = false,
): MessageWindow {
  return { messages: items.toReversed(), hasOlder, hasNewer };
}

export function prependOlder(
  window: MessageWindow,
  { items, hasOlder }: Omit<Listed, 'total'>,
): MessageWindow {
  const known = new Set(window.messages.map(({ id }) => id));
  const older = items.filter(({ id }) => !known.has(id)).toReversed();
  return { ...window, messages: [...older, ...window.messages], hasOlder };
}

/**
 * Adds the messages after the window. The list must overlap with it, or the result is undefined, because
 * messages in between would be lost. Overlapping messages are taken from the list, which is newer.
 */
export function appendNewer(
  window: MessageWindow,
  { items }: Pick<Listed, 'items'>,
  hasNewer: boolean,
): MessageWindow | undefined {
  const known = new Set(window.messages.map(({ id }) => id));
  const joint = items.findIndex(({ id }) => known.has(id));
  if (joint === -1) return undefined;
  const newer = items.slice(0, joint).toReversed();
  const { messages } = replaceMessages(window, items);
  return { ...window, messages: newer.length ? [...messages, ...newer] : messages, hasNewer };
}

/** The same window if nothing changed, so that nothing re-renders. */
export function replaceMessages(window: MessageWindow, changed: readonly Message[]): MessageWindow {
  const byId = new Map(changed.map((message) => [message.id, message]));
  let isChanged = false;
  const messages = window.messages.map((old) => {
    const fresh = byId.get(old.id);
    if (!fresh || isSame(old, fresh)) return old;
    isChanged = true;
    return fresh;
  });
  return isChanged ? { ...window, messages } : window;
}

export function reachesInto(window: MessageWindow, items: readonly Message[]): boolean {
  const known = new Set(window.messages.map(({ id }) => id));
  return items.some(({ id }) => known.has(id));
}

function isSame(left: Message, right: Message): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
