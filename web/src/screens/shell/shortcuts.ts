import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../../data/store.ts';

/** The command key as written before a letter on this machine: "⌘K", "Ctrl K". */
export const COMMAND = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

export interface ShortcutActions {
  palette: () => void;
  help: () => void;
  newSession: () => void;
  home: () => void;
  memory: () => void;
  settings: () => void;
  previousSession: () => void;
  nextSession: () => void;
}

/** Single-key shortcuts can be turned off, because speech input types them by accident (WCAG 2.1.4). */
const STORED = 'atrium.single-keys';
const singleKeys = createStore(readSingleKeys());

export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useStore(singleKeys), setSingleKeys];
}

function readSingleKeys(): boolean {
  return localStorage.getItem(STORED) !== 'off';
}

function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'off');
  singleKeys.setState(isOn);
}

// Changed in another tab.
addEventListener('storage', ({ key }) => {
  if (key === STORED || key === null) singleKeys.setState(readSingleKeys());
});

/** How long after `g` the second key counts. */
const SEQUENCE_MS = 1_500;

export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let goAt = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const isSecond = event.timeStamp - goAt < SEQUENCE_MS;
      const name = nameShortcut(event, isSecond);
      if (!event.repeat && !MODIFIERS.has(event.key)) {
        goAt = name === 'go' ? event.timeStamp : -Infinity;
      }
      if (name === undefined || name === 'go') return;
      event.preventDefault();
      latest.current[name]();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);
const SINGLE: Record<string, keyof ShortcutActions | 'go'> = {
  '?': 'help',
  c: 'newSession',
  g: 'go',
  '[': 'previousSession',
  ']': 'nextSession',
};
const AFTER_GO: Record<string, keyof ShortcutActions> = {
  h: 'home',
  m: 'memory',
  s: 'settings',
};

function nameShortcut(
  event: KeyboardEvent,
  isSecond: boolean,
): keyof ShortcutActions | 'go' | undefined {
  const { key, altKey, ctrlKey, metaKey } = event;
  const isDialogOpen = document.querySelector('dialog[open]') !== null;
  if ((ctrlKey || metaKey) && !altKey) {
    return key.toLowerCase() === 'k' && !isDialogOpen ? 'palette' : undefined;
  }
  if (isDialogOpen || isTyping(event.target)) return undefined;
  if (altKey) {
    if (key === 'ArrowUp') return 'previousSession';
    return key === 'ArrowDown' ? 'nextSession' : undefined;
  }
  if (!singleKeys.getState()) return undefined;
  return isSecond && Object.hasOwn(AFTER_GO, key) ? AFTER_GO[key] : SINGLE[key];
}

/** Letters belong to text fields, and to menus and lists that jump to them. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input, textarea, select') ||
    target.closest('[role="menu"], [role="listbox"], [role="combobox"]') !== null
  );
}
