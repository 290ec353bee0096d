import { useEffect, useRef } from 'react';
import { singleKeys } from '../data/device/single-keys.ts';
import { MAIN_PAGES, type MainPage } from './main-pages.ts';
import { takesArrows, takesLetters } from '../ui/keys/takes-keys.ts';

/** The command key as written before a letter on this machine: "⌘K", "Ctrl K". */
export const COMMAND = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

/** `create` is for a session, or a task on the screens about tasks. */
type Shortcut = 'palette' | 'help' | 'create' | 'chat' | 'previousSession' | 'nextSession';

type ShortcutActions = Record<Shortcut, () => void> & { open: (page: MainPage['to']) => void };

/** How long after `g` the second key counts. */
const SEQUENCE_MS = 1_500;

/** In a session every letter goes to the composer, so that single keys do nothing there. */
export function useShortcuts(actions: ShortcutActions, isInSession: boolean): void {
  const latest = useRef({ actions, isInSession });
  useEffect(() => {
    latest.current = { actions, isInSession };
  });
  useEffect(() => {
    let goAt = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const isSecond = event.timeStamp - goAt < SEQUENCE_MS;
      const hasSingleKeys = singleKeys.getState() && !latest.current.isInSession;
      const key = nameShortcut(event, isSecond, hasSingleKeys);
      // Last, because it looks through the whole page, which most keys can be spared.
      const name = key && document.querySelector('dialog[open]') === null ? key : undefined;
      if (!event.repeat && !MODIFIERS.has(event.key)) {
        goAt = name === 'go' ? event.timeStamp : -Infinity;
      }
      if (name === undefined || name === 'go') return;
      event.preventDefault();
      const { actions: current } = latest.current;
      if (typeof name === 'object') current.open(name.to);
      else current[name]();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);
const WITH_COMMAND: Record<string, Shortcut> = { k: 'palette', '/': 'help' };
const WITH_ALT: Record<string, Shortcut> = {
  ArrowUp: 'previousSession',
  ArrowDown: 'nextSession',
};
const SINGLE: Record<string, Shortcut | 'go'> = {
  '?': 'help',
  c: 'create',
  n: 'chat',
  g: 'go',
  '[': 'previousSession',
  ']': 'nextSession',
};

/** By the key's place, because with Alt some keyboards type another letter. On a Mac it begins an ñ in a text. */
function isChatKey({ altKey, ctrlKey, metaKey, code, target }: KeyboardEvent): boolean {
  if (!altKey || ctrlKey || metaKey || code !== 'KeyN') return false;
  return COMMAND !== '⌘' || !takesLetters(target);
}

function nameShortcut(
  event: KeyboardEvent,
  isSecond: boolean,
  hasSingleKeys: boolean,
): Shortcut | MainPage | 'go' | undefined {
  const { key, altKey, ctrlKey, metaKey, target } = event;
  if ((ctrlKey || metaKey) && !altKey) return WITH_COMMAND[key.toLowerCase()];
  if (isChatKey(event)) return 'chat';
  if (altKey) return takesArrows(target) ? undefined : WITH_ALT[key];
  if (!hasSingleKeys || takesLetters(target)) return undefined;
  return (isSecond && MAIN_PAGES.find((page) => page.key === key)) || SINGLE[key];
}
