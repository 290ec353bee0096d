/**
 * Replaces two packages that Radix's menus use for their modal mode (vite.config.ts). That mode injects
 * styles, which the page's policy forbids, so `menu.tsx` never uses it and nobody has to load it.
 */

/** react-remove-scroll */
export function RemoveScroll(): never {
  throw new Error('A menu must not be modal: see ui/controls/menu.tsx.');
}

/** aria-hidden */
export const hideOthers = RemoveScroll;
