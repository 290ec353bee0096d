import { useEffect, useRef } from 'react';
import { singleKeys } from '../data/device/single-keys.ts';
import { takesArrows, takesLetters } from '../ui/keys/takes-keys.ts';

/** The command key as written before a letter on this machine: "⌘K", "Ctrl K". */
export const COMMAND = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

export interface ShortcutActions {
  palette: () => void;
  help: () => void;
  /** A session, or a task on the screens about tasks. */
  create: () => void;
  inbox: () => void;
  home: () => void;
  threads: () => void;
  tasks: () => void;
  memory: () => void;
  search: () => void;
  settings: () => void;
  previousSession: () => void;
  nextSession: () => void;
}

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
      const name = nameShortcut(event, isSecond, hasSingleKeys);
      if (!event.repeat && !MODIFIERS.has(event.key)) {
        goAt = name === 'go' ? event.timeStamp : -Infinity;
      }
      if (name === undefined || name === 'go') return;
      event.preventDefault();
      latest.current.actions[name]();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);
const WITH_COMMAND: Record<string, keyof ShortcutActions> = { k: 'palette', '/': 'help' };
const WITH_ALT: Record<string, keyof ShortcutActions> = {
  ArrowUp: 'previousSession',
  ArrowDown: 'nextSession',
};
const SINGLE: Record<string, keyof ShortcutActions | 'go'> = {
  '?': 'help',
  c: 'create',
  g: 'go',
  '[': 'previousSession',
  ']': 'nextSession',
};
const AFTER_GO: Record<string, keyof ShortcutActions> = {
  i: 'inbox',
  h: 'home',
  t: 'threads',
  k: 'tasks',
  m: 'memory',
  f: 'search',
  s: 'settings',
};

function nameShortcut(
  event: KeyboardEvent,
  isSecond: boolean,
  hasSingleKeys: boolean,
): keyof ShortcutActions | 'go' | undefined {
  const { key, altKey, ctrlKey, metaKey, target } = event;
  if (document.querySelector('dialog[open]') !== null) return undefined;
  if ((ctrlKey || metaKey) && !altKey) return WITH_COMMAND[key.toLowerCase()];
  if (altKey) return takesArrows(target) ? undefined : WITH_ALT[key];
  if (!hasSingleKeys || takesLetters(target)) return undefined;
  return isSecond && Object.hasOwn(AFTER_GO, key) ? AFTER_GO[key] : SINGLE[key];
}
