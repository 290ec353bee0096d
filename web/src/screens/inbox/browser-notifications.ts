import { createStore, useStore } from '../../data/store.ts';

/** `undecided` until the person was asked once, on this device. */
export type BrowserState = 'undecided' | 'on' | 'off' | 'blocked' | 'unsupported';

const STORED = 'atrium.browser-notifications';
const state = createStore(readState());

export function useBrowserState(): BrowserState {
  return useStore(state);
}

function readState(): BrowserState {
  // Missing on phones of one maker and on plain http.
  if (!('Notification' in globalThis) || !isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const decided = localStorage.getItem(STORED);
  if (decided === 'on' && Notification.permission === 'granted') return 'on';
  return decided === null ? 'undecided' : 'off';
}

/** Asks the browser, which asks the person. Somebody who doesn't answer is not asked again. */
export async function turnBrowserOn(): Promise<void> {
  const permission = await Notification.requestPermission();
  decide(permission === 'granted' ? 'on' : 'off');
}

export function turnBrowserOff(): void {
  decide('off');
}

function decide(decided: 'on' | 'off'): void {
  localStorage.setItem(STORED, decided);
  state.setState(readState());
}

// Decided in another tab.
addEventListener('storage', ({ key }) => {
  if (key === STORED || key === null) state.setState(readState());
});

interface Shown {
  /** Two tabs that show the same thing show it once. */
  id: string;
  title: string;
  text: string;
  onOpen: () => void;
}

export function showInBrowser({ id, title, text, onOpen }: Shown): void {
  if (readState() !== 'on') return;
  try {
    const notification = new Notification(title, { body: text, tag: id });
    notification.addEventListener('click', () => {
      notification.close();
      window.focus();
      onOpen();
    });
  } catch {
    // Some phones have the class but no notifications from pages.
  }
}
