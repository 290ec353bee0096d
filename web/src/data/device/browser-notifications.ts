import { createStoredChoice } from './stored-choice.ts';
import { useStore } from '../store.ts';

/** `undecided` until the person was asked once, on this device. */
export type BrowserState = 'undecided' | 'on' | 'off' | 'blocked' | 'unsupported';

const state = createStoredChoice('atrium.browser-notifications', readState);

export function useBrowserState(): BrowserState {
  return useStore(state);
}

function readState(decided: string | null): BrowserState {
  // Missing on phones of one maker and on plain http.
  if (!('Notification' in globalThis) || !isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  if (decided === 'on' && Notification.permission === 'granted') return 'on';
  return decided === null ? 'undecided' : 'off';
}

/** Asks the browser, which asks the person. Somebody who doesn't answer is not asked again. */
export async function turnBrowserOn(): Promise<void> {
  const permission = await Notification.requestPermission();
  state.choose(permission === 'granted' ? 'on' : 'off');
}

export function turnBrowserOff(): void {
  state.choose('off');
}

interface Shown {
  /** Two tabs that show the same thing show it once. */
  id: string;
  title: string;
  text: string;
  onOpen: () => void;
}

export function showInBrowser({ id, title, text, onOpen }: Shown): void {
  if (state.refresh() !== 'on') return;
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
