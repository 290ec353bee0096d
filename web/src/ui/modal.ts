import { createContext, useContext, useLayoutEffect, useState } from 'react';

/**
 * What opens above a modal dialog has to be inside it: all else is inert and below it. Dialogs give
 * their element, and menus open in it.
 */
export const ModalContext = createContext<HTMLDialogElement | null>(null);

/** Where a portal goes: into the open dialog around it, else into the page. */
export function usePortalContainer(): HTMLElement | null {
  return useContext(ModalContext);
}

let lastFocused: HTMLElement | undefined;
/** A menu goes away once something is chosen, so its button counts instead. */
document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const buttonId = target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  lastFocused = (buttonId && document.getElementById(buttonId)) || target;
});

const FIRST_FIELD = '[data-autofocus], input:enabled, textarea:enabled, select:enabled';

/**
 * Opens a dialog while it is mounted. Its first field gets the focus; afterwards it goes back to where
 * it was, also when a menu that is gone by now opened the dialog.
 */
export function useModal(): [HTMLDialogElement | null, (dialog: HTMLDialogElement | null) => void] {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  // Not a plain effect: those clean up once the element is gone, and then the browser gives no focus back.
  useLayoutEffect(() => {
    if (!dialog) return undefined;
    const opener = lastFocused;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      dialog.close();
      lastFocused = opener;
      // Until the next frame the focus still counts as being in the dialog that is closed.
      const active = document.activeElement;
      if (active === document.body || dialog.contains(active)) opener?.focus();
    };
  }, [dialog]);
  return [dialog, setDialog];
}
