import { createContext, useContext, useLayoutEffect, useState, type ComponentProps } from 'react';

/**
 * Whatever opens above a modal dialog must be inside it, because everything else is inert and below it.
 * Dialogs provide their element, and menus open in it.
 */
export const ModalContext = createContext<HTMLDialogElement | null>(null);

/** Where a portal goes: into the surrounding dialog, or else into the page. */
export function usePortalContainer(): HTMLElement | null {
  return useContext(ModalContext);
}

let lastFocused: HTMLElement | undefined;
/** A menu disappears once something is chosen, so its button counts instead. */
document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const buttonId = target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  lastFocused = (buttonId && document.getElementById(buttonId)) || target;
});

const FIRST_FIELD =
  '[data-autofocus], input:enabled, textarea:enabled, button[aria-haspopup="listbox"]:enabled';

/**
 * Opens a dialog while it is mounted and focuses its first field. Afterwards focus returns to where it
 * was, even if a menu that is gone by then opened the dialog. Escape and a click beside it call `onClose`.
 */
export function useModal(
  onClose: () => void,
): [HTMLDialogElement | null, ComponentProps<'dialog'>] {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  // A plain effect cleans up after the element is gone, when the browser no longer restores focus.
  useLayoutEffect(() => {
    if (!dialog) return undefined;
    const opener = lastFocused;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    // Pressed again and again, Escape closes a dialog that asks first, whatever the page says.
    const reopen = () => {
      if (dialog.isConnected && !dialog.open) dialog.showModal();
    };
    dialog.addEventListener('close', reopen);
    return () => {
      dialog.removeEventListener('close', reopen);
      dialog.close();
      lastFocused = opener;
      // Until the next frame, focus still counts as being in the closed dialog.
      const active = document.activeElement;
      if (active === document.body || dialog.contains(active)) opener?.focus();
    };
  }, [dialog]);
  const props: ComponentProps<'dialog'> = {
    ref: setDialog,
    onCancel(event) {
      event.preventDefault();
      onClose();
    },
    onMouseDown(event) {
      if (event.target === dialog) onClose();
    },
  };
  return [dialog, props];
}
